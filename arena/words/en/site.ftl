### What the pages say that a site alone has: for guests and authors, and where something went wrong.

## How to begin

how-to-begin = How to begin
from-nothing = Getting started
what-a-bot-is = A bot is a program that reads lines of JSON and writes lines of JSON. It may be in any language. The commands below are those of the arena, which the person who invites you can tell you how to get; a bot can also come in without it, as an archive.
bot-that-plays = A bot that plays
complete-bot = This is a complete one. It always passes, and plays the first card it may:
manifest-beside = It is in a folder together with this <code>bot.toml</code>:
arena-helps = That is all it takes. The arena itself, installed from its folder with <code>pip install .</code>, helps: <code>arena new</code> makes such a folder in the language of your choice, and <code>arena new --list</code> names them.
play-at-home = Let it play at home
check-asks-all = A check asks it everything that a match can ask, and shows the lines where it fails. Then a match against itself, or against the arena’s own bots:
guide-and-rules = All that is asked and answered is in <a href="/start/guide">the guide</a>, which <code>arena protocol</code> prints; here are <a href="/rules">the rules of this league</a>.
the-guide = The guide
bring-it-in = Bring it in
authors-are-invited = Authors come by invitation: its link shows a token, once. With it, where the folder of the bot lies:
or-drop-archive = Or drop an archive of the folder (.zip or .tar.gz) on <a href="/me">your own page</a>. You see its place in the queue, each step of the check, and at the end its name or the very step that failed. A newcomer plays more often than others until its strength is known.
see-what-it-did = See what it did
what-it-did-is-yours = What your bot saw, wrote to stderr and did wrong is yours at once, in the form in which <code>arena replay</code> shows it and <code>arena rerun</code> asks your bot again:
better-version = A better version goes in the same way, under the same name, and plays as <code>mybot.2</code>. It begins without results, and the old one leaves the field.

## Coming in

invitation = Invitation
an-invitation = An invitation
come-in-again = Come in again
welcome = Welcome, { $name }
token-is-yours = This is your token. It is shown this once and kept nowhere: anyone who has it can send bots in your name. If you lose it, make a new one on your page.
copy-token = Copy the token
command-asks-for-token = The command line asks for it once:
go-to-own-page = Go to your own page
account-again = This link lets { $name } into the account again. The token and the sessions of before end.
invited-as = You are invited to bring bots to { $site } as <b>{ $name }</b>. That name is the author of all your bots.
invited-first = You are invited to bring bots to { $site }. { $places ->
    [one] One place is left.
   *[other] { $places } places are left.
}
choosing-shows-token = Your name is the author of all your bots. What comes next shows a token: be ready to keep it.
your-name = Your name
# What follows it are the arena’s own words, in English.
choose-another-name = This name cannot be taken.
your-team = Your team, if you have one
link-shows-token = The link can be used once. What comes next shows a token: be ready to keep it.
come-in = Come in
take-invitation = Take the invitation
sign-in = Sign in
sign-in-here = Sign in to this browser as { $name }
link-signs-in = The link can be used once. After it this browser knows you for thirty days.
your-own-page = Your own page
browser-not-known = On this page authors look after their bots, and challenge others. An invitation’s link opens it; so does a link that the command line makes for you, which is good for ten minutes:
no-invitation-yet = No bot yet? <a href="/start">How to begin</a> describes what awaits you; who runs this league invites you.

## An author’s own page

sign-out = Sign out of this browser
new-token = Your new token
shown-this-once = It is shown this once.
send-bot = Send a bot
choose-archive = Choose an archive
# $choose is a button that says choose-archive.
choose-or-drop = { $choose } or drop it here: the bot’s folder as .zip or .tar.gz, up to { $most }.
sent = sent
from-command-line = From the command line: <code>{ $command }</code>
archive-too-large = { $file } is larger than { $most }.
sending = Sending { $file }
folder-not-sent = A folder cannot be sent: pack it, as a .zip or .tar.gz.
sending-broke = The connection broke. Send it again: the same archive counts once.
site-answered = The site answered { $status }.
last-upload = The last upload
earlier-uploads = { $count ->
    [one] { $count } earlier
   *[other] { $count } earlier
}
# $why is the arena’s own sentence.
upload-in-short = { $state ->
    [done] { $bot } entered
    [failed] <span class="down">not taken</span>: { $why }
    [waiting] queued
   *[taken] checking
}
what-is-left = Quotas
bots = Bots
column-state = state
column-since = since
withdraw-or-resume = withdraw or resume
bot-state = { $state ->
    [playing] playing
    [benched] benched
    [next_season] waits for the next season
    [replaced] replaced
   *[withdrawn] withdrawn
}
resume = Resume
resume-bot = Resume { $bot }
withdraw = Withdraw
withdraw-bot = Withdraw { $bot }
no-bot-of-yours = None yet. <a href="/start">How to begin</a> has a first one in ten lines.
challenge = A challenge
challenge-told = Three bots at one table, one of them yours, on their own deals. It never counts.
play-challenge = Play it
challenge-state = { $state ->
   *[waiting] { $names }, waiting
    [failed] { $names }, failed
    [done] { $names }, answered
}
challenge-result = { $count ->
    [one] { $made } in { $count } game
   *[other] { $made } in { $count } games
}
token = Token
token-replaces = A new token replaces the one before, and ends the sessions of other browsers.
make-token = Make a token

## An upload and its check

upload = Upload
# $place is that in the queue.
upload-stands = { $state ->
    [done] { $bot } plays
    [failed] Not taken
    [waiting] { $place ->
        [1] Next in the queue
       *[other] Number { $place } in the queue
    }
   *[taken] Being checked
}
# $length is told where $done is "yes".
upload-sent = Sent { $when }{ $done ->
    [yes] , done after { $length }
   *[no] { "" }
}.
archive-hash = SHA-256 of the archive: { $hash }
upload-entered = It is in the field as { $bot } and sits at a table soon.
upload-is-late = It came after the deadline and is { $bot } in the next season.
upload-again = Fix it and upload it again; <code>arena check</code> goes through the same steps at home.
upload-waits = It is taken up as soon as those before it are done. This page follows by itself, and may be closed meanwhile.
its-check = { $count ->
    [one] Its check, { $count } step
   *[other] Its check, { $count } steps
}
step-mark = { $mark ->
    [passed] passed
    [failed] failed
   *[remark] a remark
}
step-last-lines = The last lines of { $step }
wrote-to-stderr = What it wrote to stderr
next-step = the next step is under way
quota = { $quota ->
    [bots] bots in the field
    [uploads] uploads
    [build_minutes] minutes of building
   *[challenges] challenges
}
quota-left = { $left } <small>of { $most }</small>
quota-left-of-day = { $left } <small>of { $most } in 24 h</small>
again-in = again in { $length }

## A table for guests

own-table = { $count ->
    [one] A table of your own against bots: { $count } deal. It does not count in any standings.
   *[other] A table of your own against bots: { $count } deals. It does not count in any standings.
} You stay anonymous.
bot-to-choose = { $place ->
    [left] On your left
    [right] On your right
    [first] First bot
    [second] Second bot
    [third] Third bot
   *[fourth] Fourth bot
}
any-house-bot = any club player
bot-of-level = { $bot }, { $level ->
    [beginner] beginner
    [club] club player
    [strong] strong player
   *[master] master
}
bot-by-author = { $bot }, by { $author }
play-needs-script = The table needs JavaScript: allow it in this browser to play.
sit-down = Sit down
with-friends = Play with friends
with-friends-told = Each friend gets a link to a seat, beginning on your left. Bots take the others.
friend-to-name = { $who ->
    [name] Your name
    [friend1] A friend’s name
   *[friend2] Another friend’s name
}
day-played = You have played the deal of the day. There is another tomorrow.
day-told = The same cards for everybody, once a day; at the end you see how many did worse.
# $count are the minutes that an answer may take.
take-your-time = { $count ->
    [one] Take your time: bots wait. With friends, an answer may take { $count } minute, then the deal is lost.
   *[other] Take your time: bots wait. With friends, an answer may take { $count } minutes, then the deal is lost.
} If you close the page, your table waits just as long before it ends.
own-table-is-there = { $over ->
    [0] You have a match under way.
    [one] You have a match under way: { $over } deal is over.
   *[other] You have a match under way: { $over } deals are over.
}
to-own-table = Back to your table
tables-are-taken = { $full ->
    [yes] All tables are taken.
   *[no] Others on your network sit at as many tables as one network may have.
} <a href="/play">Look again</a> in a moment, or <a href="/tv">watch</a> meanwhile.
own-matches = Your matches of the last 30 days
new-to-zole = New to Zole?
zole-in-a-sentence = One plays alone against two, and needs 61 of 120 points. Queens, jacks and diamonds are trumps. <a href="/zole">The rest in a minute.</a>
table-helps = The table shows which cards you may play{ $advises ->
    [yes] , gives a hint when you ask for one, and shows after each deal what would have been better
   *[no] { "" }
}.
bots-that-agree = Bots of the league play here if their authors agree. At the end the log is yours to keep.

## Deals to watch

deals-shown = Close deals, card by card and one after the other, with all hands open. New ones come in by themselves.
play-deal = Play
pause-deal = Pause
full-screen = Full screen
leave-full-screen = Leave full screen
getting-deal = Getting the deal …
game-of = { $who ->
    [nobody] { game }
   *[other] { game }: { $name } plays alone
}
match-and-deal = match { $match }, deal { $deal }
nothing-shown = Nothing is shown to everybody yet. { $publish ->
    [season] Matches are shown once the season is over.
   *[at_once] The first matches are being played.
}
play-meanwhile = Play meanwhile

## Waiting, and where something went wrong

a-moment = A moment
site-being-set-up = The site is being set up.
page-asks-again = The page asks again by itself.
# English pages have the arena’s own words in place of these two. $status is that of HTTP.
went-wrong = { $status ->
    [401] The site does not know who asks
    [403] That is not allowed
    [404] There is nothing here
    [405] This address is not for that
    [408] That took too long
    [409] That cannot be done now
    [413] That is too large
    [429] That was too often
    [500] The site itself failed over this
    [503] The site cannot do that now
    [507] The site has no room
   *[other] That cannot be done
}
what-helps = { $status ->
    [401] Sign in with the link of an invitation, or with one that <code>arena login</code> makes.
    [403] Ask the organiser if it should be.
    [404] It may be hidden still, or gone: the links below lead on.
    [405] The links below lead on.
    [408] Send it again.
    [409] Load the page again: something has changed meanwhile.
    [413] Leave out what is not needed.
    [429] Ask less often.
    [500] The organiser has it in the log.
    [503] Others are being served, or the site is paused.
    [507] The organiser must make room.
   *[other] Go back and change what was sent.
}
try-again-in = Try again in { $length }.

## What the organiser says

the-calendar = Calendar
the-season = Season
uploads-until = Bots are taken in until
final-from = The final begins
replays-shown-from = Matches of now can be watched
at-once = at once
end-of-season = when the season is over
announcements = Announcements
no-announcement-yet = Nothing has been announced yet.

leagues-beside = Leagues and past seasons
league-is-played = Is being played.
# $bots are the best, the first of them first.
league-is-won = { $count ->
    [one] { $count } bot
   *[other] { $count } bots
}; the best: { $bots }
