### What people read at a table, in a replay and in a terminal.
###
### $who says who does something: "you", "talon", or "other" with a $name. { CARD($card) } is a card,
### in the case that is asked for: { CARD($card, case: "accusative") } is made by the message card.

## Cards

suit = { $suit ->
    [clubs] треф
    [spades] пик
    [hearts] червей
   *[diamonds] бубен
}
rank = { $case ->
    [genitive] { $rank ->
        [ace] туза
        [king] короля
        [queen] дамы
        [jack] валета
        [ten] десятки
        [nine] девятки
        [eight] восьмёрки
       *[seven] семёрки
    }
    [accusative] { $rank ->
        [ace] туза
        [king] короля
        [queen] даму
        [jack] валета
        [ten] десятку
        [nine] девятку
        [eight] восьмёрку
       *[seven] семёрку
    }
   *[nominative] { $rank ->
        [ace] туз
        [king] король
        [queen] дама
        [jack] валет
        [ten] десятка
        [nine] девятка
        [eight] восьмёрка
       *[seven] семёрка
    }
}
card = { rank } { suit }
# What stands in a card's corner.
index = { $rank ->
    [ace] Т
    [king] К
    [queen] Д
    [jack] В
    [ten] 10
    [nine] 9
    [eight] 8
   *[seven] 7
}
card-face-down = карта рубашкой вверх

## Who, and where

place = { $place ->
    [you] Вы
    [left] Левый сосед
    [right] Правый сосед
    [across] Сосед напротив
    [far-left] Дальний слева
   *[far-right] Дальний справа
}
# Two bots have the same name.
name-and-place = { $name } ({ $place ->
    [left] слева
    [right] справа
    [across] напротив
    [far-left] дальше слева
   *[far-right] дальше справа
})
# The name of a player within a sentence.
name = { $who ->
    [you] вы
    [talon] прикуп
   *[other] { $name }
}

## Games

game = { $game ->
    [ordinary] обычная игра
    [solo] золе
    [small_solo] малая золе
    [blind] золе втёмную
    [table] распасы
   *[thrown_in] пересдача
}
a-game = { $game ->
    [ordinary] обычную игру
    [solo] золе
    [small_solo] малую золе
    [blind] золе втёмную
    [table] распасы
   *[thrown_in] пересдачу
}
no-game = без игры
# What somebody said in the auction, as it stands beside the name.
word = { $word ->
    [pass] пас
    [ordinary] играю
    [solo] золе
    [small_solo] малая золе
    [blind] золе втёмную
    [take] берёт прикуп
   *[give] отдаёт прикуп
}

# An answer in a list of moves.
answer-word = { $word ->
    [pass] Пас
    [ordinary] Играю
    [solo] Золе
    [small_solo] Малая золе
    [blind] Золе втёмную
    [take] Взять прикуп
    [give] Отдать прикуп
    [yes] да
    [no] нет
   *[offer] Предложить сдаться
}

## What happens

points = { $count ->
    [one] { $count } очко
    [few] { $count } очка
    [many] { $count } очков
   *[other] { $count } очка
}
tricks = { $count ->
    [one] { $count } взятка
    [few] { $count } взятки
    [many] { $count } взяток
   *[other] { $count } взятки
}
cards = { $count ->
    [one] { $count } карта
    [few] { $count } карты
    [many] { $count } карт
   *[other] { $count } карты
}
stakes = { $count ->
    [one] { $amount } вист
    [few] { $amount } виста
    [many] { $amount } вистов
   *[other] { $amount } виста
}
deal-number = сдача { $deal }
the-days-deal = Сдача дня
played-again = Ещё раз
dealing = { $who ->
    [you] Сдаёте вы.
   *[other] Сдаёт { $name }.
}
you-sit-out = Эту сдачу вы пропускаете.
forehand-is = { $who ->
    [you] Первая рука — вы.
   *[other] Первая рука — { $name }.
}
deal-begins = Сдача { $deal }.
blind-declared = { $who ->
    [you] Вы объявляете золе втёмную.
   *[other] { $name } объявляет золе втёмную.
}
blind-not-declared = { $who ->
    [you] Вы смотрите свои карты.
   *[other] { $name } смотрит свои карты.
}
passes = { $who ->
    [you] Вы пасуете.
   *[other] { $name } пасует.
}
bids = { $who ->
    [you] Вы объявляете
   *[other] { $name } объявляет
} { $bid ->
    [ordinary] «Играю»
    [solo] золе
    [small_solo] малую золе
   *[blind] золе втёмную
}.
talon-taken = { $who ->
    [you] Вы берёте прикуп.
   *[other] { $name } берёт прикуп.
}
talon-given = { $who ->
    [you] Вы отдаёте прикуп.
   *[other] { $name } отдаёт прикуп.
}
plays-against = { $who ->
    [you] Большой — вы: вы играете { a-game }.
   *[other] Большой — { $name }: играет { a-game }.
}
all-pass-table = Все пасуют: распасы. Берите как можно меньше взяток.
all-pass-thrown-in = Все пасуют: пересдача.
plays-card = { $who ->
    [you] Вы кладёте { CARD($card, case: "accusative") }.
    [talon] Из прикупа идёт { CARD($card) }.
   *[other] { $name } кладёт { CARD($card, case: "accusative") }.
}
lays-aside = { $who ->
    [you] Вы сносите { CARD($card, case: "accusative") } и { CARD($second, case: "accusative") }.
   *[other] { $name } сносит { CARD($card, case: "accusative") } и { CARD($second, case: "accusative") }.
}
# $count are the points of the trick, $trick is its number.
trick-taken = { $who ->
    [you] { $trick }-ю взятку берёте вы: { points }.
    [talon] { $trick }-ю взятку берёт прикуп: { points }.
   *[other] { $trick }-ю взятку берёт { $name }: { points }.
}
gives-up = { $who ->
    [you] Вы сдаётесь.
   *[other] { $name } сдаётся.
}
offers = { $who ->
    [you] Вы предлагаете сдаться.
   *[other] { $name } предлагает сдаться.
}
offer-accepted = Большой принимает.
offer-refused = Большой играет дальше.
# $fault and $detail are the arena's own words.
fault-of = { $who ->
    [you] Ваше нарушение: { $fault }, { $detail }.
   *[other] Нарушение ({ $name }): { $fault }, { $detail }.
}
plays-on = { $who ->
    [you] Вы играете дальше.
   *[other] { $name } играет дальше.
}

## At the table

table = Стол
declarer = большой
dealer = сдаёт
forehand = первая рука
sits-out = пропускает
bot-stands-in = играет бот
bot-stood-in = За вас играл бот.
defender = маленький
talon = прикуп
talon-of-defenders = прикуп, маленьким
hands-as-dealt = карты, как сданы
laid-aside = снос
the-trick = Взятка
led = заход
you-lead-here = ваш заход
your-card-here = ваша карта
the-auction = Торговля
table-game = Распасы
table-goal = { $settlement ->
    [most_points_pays] Распасы: проигрывает, у кого больше очков
    [fewest_tricks_collects] Распасы: выигрывает, у кого меньше взяток
   *[other] Распасы: проигрывает, у кого больше взяток, потом очков
}
thrown-in = Пересдача
declares-game = большой: { game }
game-declared = { $who ->
    [you] { $game ->
        [ordinary] Обычная игра, большой — вы
        [solo] Золе, большой — вы
        [small_solo] Малая золе, большой — вы
       *[blind] Золе втёмную, большой — вы
    }
   *[other] { $game ->
        [ordinary] Обычная игра, большой — { $name }
        [solo] Золе, большой — { $name }
        [small_solo] Малая золе, большой — { $name }
       *[blind] Золе втёмную, большой — { $name }
    }
}
# Points of one side, and how many it needs; $more is "yes" where cards are not seen that count for it.
declarer-has = { $who ->
    [you] Вы:
   *[other] { $name }:
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] из 61
}
needs-points = { $count ->
    [0] { $name }: 61 очко набрано.
    [one] { $name }: нужно ещё { $count } очко.
    [few] { $name }: нужно ещё { $count } очка.
    [many] { $name }: нужно ещё { $count } очков.
   *[other] { $name }: нужно ещё { $count } очка.
}
side-has = { $side ->
    [others] маленькие:
    [yours] ваша сторона:
   *[defenders] маленькие:
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] из 60
}
on-the-table = на столе { $count }
may-take-none = { $who ->
    [you] Вам нельзя взять ни одной взятки
   *[other] { $name } играет без взяток
}
talon-has = прикуп: { points }
pools = пули: { $pools }
pools-collective = { $count ->
    [one] { $count } общая
    [few] { $count } общие
    [many] { $count } общих
   *[other] { $count } общих
}

## Questions

your-turn-to-bid = Ваше слово.
ask-blind = Объявить золе втёмную, не глядя в карты?
ask-talon = Взять прикуп и снести две карты или отдать его маленьким и играть золе?
ask-discard = Прикуп у вас. Выберите две карты в снос.
ask-offer = { $name } предлагает сдаться: вы выиграете как при 61–90 очках. Принять?
ask-lead = Ваш ход: заходите с любой карты.
ask-card = Ваш ход: { $who ->
    [talon] из прикупа зашли
   *[other] { $name } заходит
} с { CARD($card, case: "genitive") }{ $trump ->
    [yes] {" "}(козырь)
   *[no] { "" }
}.
answer-blind = { $blind ->
    [yes] Играть втёмную
   *[no] Смотреть карты
}
# The buttons of an auction; $next is "yes" where the talon is decided afterwards.
answer-bid = { $bid ->
    [pass] Пас
    [ordinary] Играю
    [solo] Золе
    [small_solo] Малая золе
   *[blind] Золе втёмную
}
# What a bid means, below it.
answer-bid-more = { $bid ->
    [ordinary] { $next ->
        [yes] о прикупе потом
       *[no] беру прикуп
    }
    [solo] без прикупа
   *[small_solo] ни одной взятки
}
# Before two rows of stakes: what a game pays, and what it costs.
tile-wins = плюс { $range }
tile-loses = минус { $range }
tiles-pay = Ваши висты со всех соперников вместе
answer-talon = { $choice ->
    [take] Взять прикуп
   *[give] Отдать прикуп, играть золе
}
answer-play-on = Играть дальше
answer-give-up = Сдаться
answer-accept = Принять
answer-offer = Предложить сдаться
# On a narrow window, and once it was pressed.
answer-offer-short = Отдать сдачу
play-rest = Доиграть
play-rest-short = Доиграть
really-offer = Точно? { $stakes }
# What conceding means, while it is pressed again.
offer-binds = Большой может отказаться. Предложение действует и за партнёра.
conceding-pays = Вы платите как при 31–60 очках.
lay-aside = Снести { $cards }
choose-more = { $count ->
    [one] Выберите ещё { $count } карту
    [few] Выберите ещё { $count } карты
    [many] Выберите ещё { $count } карт
   *[other] Выберите ещё { $count } карты
}
why-not-trumps = Зашли с козыря, а у вас козырь есть: козыри — все дамы, валеты и бубны.
why-not-suit = Зашли с { $suit ->
    [clubs] треф
    [spades] пик
   *[hearts] червей
}, а у вас эта масть есть.{ $trump ->
    [yes] {" "}А { CARD($card) } — козырь.
   *[no] { "" }
}
refused = Ответ не принят: { $why }. Выберите ещё раз.
on-at-once = { $touch ->
    [yes] Касание — сразу дальше.
   *[no] Щелчок или Пробел — сразу дальше.
}
other-tab-asked = Ответьте в другой вкладке.
waiting-for = Ждём: { $name }…
waiting-for-offer = Вы предложили сдаться. Ждём: { $name }…
invite-friends = Пригласить друзей
invite-helps = Каждая ссылка открывает одно место. Первая сдача начнётся, когда придут все.
waiting-for-others = Ждём остальных…
waiting-for-deal = Ждём первой сдачи…
thinking = Думаем…
hint-is = Подсказка: { $answer }.

## The table's page

you = Вы { $stakes }
your-turn-title = ● Ваш ход — Zole
settings = Настройки
keys = Клавиши
help = Справка
trumps = Козыри
trumps-elsewhere = { $count ->
    [one] { $count } козырь ещё не сыгран и не у вас.
    [few] { $count } козыря ещё не сыграны и не у вас.
    [many] { $count } козырей ещё не сыграны и не у вас.
   *[other] { $count } козыря ещё не сыграны и не у вас.
}
trumps-frames = В рамке — ваши, серые — уже вышли.
# Of a card, in the list of all: what has become of it.
card-gone = , сыграна или снесена
card-yours = , ваша
help-trumps = Козыри, от старшего к младшему
help-trumps-order = Все козыри — одна масть: дамы, затем валеты, те и другие по порядку: трефы, пики, черви, бубны; за ними остальные бубны.
help-suits = Остальные масти, от старшей карты
help-points = Очки карт
help-points-each = туз 11, десятка 10, король 4, дама 3, валет 2, остальные 0; всего 120
help-terms = Слова и знаки
means-declarer = играет один и выигрывает, если набрал 61 очко из 120 или больше. Остальные — маленькие.
means-forehand = сидит слева от сдающего, первой делает заявку и первой заходит. Очередь сдавать переходит влево.
means-trick = по карте от каждого. Кто может, кладёт масть захода, иначе любую карту. Взятку берёт старший козырь, а без козырей — старшая карта масти захода; взявший заходит следующим.
means-talon = две карты, которые остались после сдачи. В обычной игре их берёт большой, в золе их очки идут маленьким.{ $turned ->
    [yes] {" "}В распасах их открывают в первых двух взятках.
   *[no] {" "}В распасах они не идут никому.
}
means-play = заявка играть одному с прикупом: две карты сносят, 61 очко выигрывает.
means-zole = заявка играть одному без прикупа, за большее число вистов.
means-table-game = все спасовали: каждый играет за себя. Проигрывает тот, у кого больше всех взяток, а при равенстве — больше очков.
means-stakes = то, что приносит или отнимает сдача; они копятся весь матч. Очки решают только исход сдачи.
means-concede = признать сдачу проигранной, если правила позволяют. Большой может это до конца второй взятки и платит как при 31–60 очках. Каждый маленький может один раз предложить это в свой ход; большой соглашается и получает как при 61–90 или играет дальше.
means-hint = лучший ответ во многих раскладах, возможных по увиденному: каждый доигран так, будто все видят все карты.
ring = Жёлтая рамка
means-ring = этой картой можно ходить. Пунктирная рамка — подсказка.
edge = Цветной край
means-edge = карта, которая пока берёт взятку.
plus = 0+
means-plus = уже взятые очки; к ним добавятся две карты, которых не видно: снос большого, а в золе прикуп, который идёт маленьким.
# The figures of docs/strategy.md, roughly.
help-thumb = Советы
thumb-play = с пятью козырями, из них двумя дамами, и тузом другой масти или с шестью козырями, из них двумя дамами. После двух пасов хватит меньшего: другие тоже слабы.
thumb-zole = с семью козырями и тузом другой масти, с шестью и двумя такими тузами или с восемью козырями.
thumb-declarer = сносит две карты так, чтобы какой-то масти не осталось: одиночную карту или десятку с её королём; тузы и козыри оставляет. Ходит со старшего козыря, пока его не бьёт ни одна карта, потом с туза.
thumb-defender = ходит с других мастей, а не с козырей. Туза или десятку отдаёт во взятку партнёра, когда большой уже положил карту, не раньше.
help-rules = Как играть в золе
leave = Выйти
close = Закрыть
stay = Остаться
connecting = Подключение…
your-cards = Ваши карты
nearest-hand = Ближняя рука
what-is-asked = Ваши ответы
last-trick = Последняя взятка
hint = Подсказка
give-up-later = Вы сдадитесь перед следующим ходом.
give-up-not = Не сдаваться
another-tab = Вы играете в другой вкладке или в другом окне; здесь можно только смотреть.
play-here = Играть здесь
connection-lost = Связь потеряна. Пробуем снова…
answered-already = На этот вопрос уже ответили, или время вышло.
answer-lost = Ответ ещё не дошёл. Он отправляется снова, пока не дойдёт.
leaving-lost = Выйти не удалось: нет связи. Попробуйте ещё раз.
site-silent = Сайт не отвечает. Попробуйте ещё раз.
not-taken = Сервер этого не принял.
your-time = Ваше время
seconds-left = { $count ->
    [one] Осталась { $count } секунда
    [few] Осталось { $count } секунды
    [many] Осталось { $count } секунд
   *[other] Осталось { $count } секунды
}
leave-title = Выйти из матча?
replay-title = Сыграть это ещё раз?
leave-for-replay = Вы сыграете это за новым столом. Этот матч подождёт вас.
leave-retry = Сдача, которую вы переигрываете, на этом закончится.
leave-guest = Он ждёт четверть часа, пока вы осматриваетесь, и всё время, пока вы играете сдачу дня. Если выйти, вернуться будет нельзя.
look-around = Осмотреться
leave-friend = На вашем месте продолжит бот, пока остаётся кто-то из друзей. Эта страница ведёт обратно.
leave-person = Вернуться нельзя: ваше место проиграет эту сдачу и каждую следующую, где от него ждут ответа.
skip-title = Пропустить урок?
leave-lesson = Его можно пройти позже: справка (?) за каждым столом ведёт обратно к уроку.
browser-keeps = Ваш выбор запомнит этот браузер.
setting-language = Язык
setting-pace = Остальные ходят
setting-deck = Карты
setting-sound = Звук карт
choice = { $choice ->
    [briskly] быстро
    [calmly] спокойно
    [at-once] мгновенно
    [four-colours] четыре цвета
    [classic] классические
    [large-index] крупные индексы
    [off] выкл.
   *[on] вкл.
}
key-move = к предыдущей или следующей карте (ответу)
key-enter = сыграть эту карту, дать этот ответ; в конце сдачи — следующая сдача
key-space = сразу дальше, пока ходят другие или лежит взятка
key-number = карта или ответ с этим номером
key-trumps = козыри, очки и сколько стоит игра
key-last-trick = ещё раз последняя взятка или назад к текущей
key-hint = подсказка, она ничего не стоит
key-offer = предложить сдаться, если вы маленький и правила позволяют
key-give-up = сдаться перед следующей взяткой или передумать, если вы большой и правила позволяют
key-play-rest = когда сдача решена: доиграть последние карты за вас по подсказкам
key-help = эта справка

## The score sheet

score-sheet = Запись
total-after = всего после неё
deal = сдача
deals-listed = Сдачи
now = сейчас
in-the-pools = В пулях: { $pools }.
what-happened = Что произошло
this-deal = Эта сдача
what-it-pays = Висты
this-game-pays = Висты за эту сдачу
most-points-pay = { $count ->
    [one] Кто возьмёт очков больше всех, платит каждому по { $count } висту.
    [few] Кто возьмёт очков больше всех, платит каждому по { $count } виста.
    [many] Кто возьмёт очков больше всех, платит каждому по { $count } вистов.
   *[other] Кто возьмёт очков больше всех, платит каждому по { $count } виста.
}
table-tie = { $settlement ->
    [fewest_tricks_collects] Если взяток поровну, выигрывает тот, у кого меньше очков.
    [most_points_pays] Если очков поровну, платит тот, у кого больше взяток; при полном равенстве каждый из двоих платит третьему { $stake }.
   *[most_tricks_pays] Если взяток поровну, платит тот, у кого больше очков; при полном равенстве каждый из двоих платит третьему { $stake }.
}
declarer-takes = у большого
from-each = с каждого
level = { $level ->
    [all_tricks] все взятки
    [ge91] 91 очко и больше
    [ge61] от 61 до 90 очков
    [from_31] от 31 до 60 очков
    [le30] 30 очков и меньше
    [no_tricks] ни одной взятки
    [made] ни одной взятки: выигрыш
   *[lost] хоть одна взятка: проигрыш
}
tier-paid = { $level }: { $won ->
    [yes] большой получает { $count } с каждого
   *[no] большой платит { $count } каждому
}.
most-tricks-pay = { $count ->
    [one] Кто возьмёт взяток больше всех, платит каждому по { $count } висту.
    [few] Кто возьмёт взяток больше всех, платит каждому по { $count } виста.
    [many] Кто возьмёт взяток больше всех, платит каждому по { $count } вистов.
   *[other] Кто возьмёт взяток больше всех, платит каждому по { $count } виста.
}
fewest-tricks-win = { $count ->
    [one] Кто возьмёт взяток меньше всех, получает с каждого по { $count } висту.
    [few] Кто возьмёт взяток меньше всех, получает с каждого по { $count } виста.
    [many] Кто возьмёт взяток меньше всех, получает с каждого по { $count } вистов.
   *[other] Кто возьмёт взяток меньше всех, получает с каждого по { $count } виста.
}

## The end of a deal, and of a match

deal-over = Сдача окончена
deal-won = { $count ->
    [one] Вы выиграли { $count } вист
    [few] Вы выиграли { $count } виста
    [many] Вы выиграли { $count } вистов
   *[other] Вы выиграли { $count } виста
}
deal-lost = { $count ->
    [one] Вы проиграли { $count } вист
    [few] Вы проиграли { $count } виста
    [many] Вы проиграли { $count } вистов
   *[other] Вы проиграли { $count } виста
}
deal-even = Вы при своих
deal-sat-out = Вы не играли
# What is shown of a deal that is over.
part = { $part ->
    [result] Результат
    [tricks] Взятки
    [review] Разбор
   *[same] Те же карты
}
levels-play = Боты всех уровней играют эти карты…
levels-silent = Сейчас ни один бот не может сыграть эти карты.
same-cards-told = Те же карты на вашем месте, по разу сыгранные ботами каждого уровня; есть и доля удачи:
one-deal-is-luck = В одной сдаче многое решает удача: и лучшая карта может проиграть.
first-time = В первый раз: { $amount }.
try-again-here = Попробовать ещё раз отсюда
play-these-again = Сыграть эти карты ещё раз
strength = { $level ->
    [beginner] Новичок
    [club] Клубный игрок
    [strong] Сильный игрок
   *[master] Мастер
}
# $day is a date, $amount stakes with their sign.
day-result = Сдача дня, { $day }: { $amount }{ $with ->
    [points] , { points }
   *[nothing] { "" }
}.
day-first = Вы сыграли её первым.
day-bots = Боты с теми же картами: { $made }.
day-others = Другие, кто её сыграл: { $count }. Хуже { $less }, так же { $same }, лучше { $more }. При равных вистах решают очки.
day-better-than = { $count ->
    [one] Лучше, чем у { $share } % из { $count } другого.
    [few] Лучше, чем у { $share } % из { $count } других.
    [many] Лучше, чем у { $share } % из { $count } других.
   *[other] Лучше, чем у { $share } % из { $count } других.
}
to-the-end = Итоги матча
trick-before = Предыдущая взятка
trick-after = Следующая взятка
next-deal = Следующая сдача
what-it-paid = Расчёт
seat = место
in-all = всего
looking-for-better = Ищем ответы лучше…
what-would-be-better = Лучшие ответы
no-mistake = Явных ошибок нет, если судить по тому, что вы могли знать.
no-clear-mistake = Явных ошибок нет. Вы выбрали верно там, где решалось больше всего: { $where }.
was-right = { $given } — верный ход.
cards-decided = Если бы все видели все карты, никакая другая ваша карта не была бы лучше.
in-hindsight = { $where }: если бы все видели все карты, лучше было бы { $better }.
better = { $best } лучше, чем { $given }: в среднем на { $loss } виста больше.
better-plain = { $best } лучше, чем { $given }.
close-calls = Лучше, но слишком близко, чтобы считать ошибкой:
where-deal = Сдача { $deal }
where-trick = Взятка { $trick }
ask = { $ask ->
    [blind] втёмную?
    [bid] заявка
    [talon] прикуп
    [discard] снос
    [surrender] сдаться?
    [offer] принять?
   *[play] ход
}
dearest-moments = Ваши самые дорогие ошибки
course-of-match = Счёт всех игроков после каждой сдачи
match-over = Матч окончен
match-place = { $of ->
    [deal] Сдача окончена
   *[match] Матч окончен
}: { $stands ->
    [won] вы победили
    [shared] { $place }-е место из { $players }, поделённое
   *[other] { $place }-е место из { $players }
}.
you-have-left = Вы вышли из матча.
come-back = Вернуться
back-to-match = Назад к матчу
disqualified = Слишком много нарушений: ваше место дисквалифицировано.
play-again = Сыграть ещё
play-a-match = Сыграть матч
other-bots = Другие боты
the-standings = Турнирная таблица
may-close = Эту страницу можно закрыть. { $play } начинает новый матч, а { $replay } снова показывает матч, сохранённый с { $record }.
this-table = Этот стол
bots-play-here = За этим столом играют боты: { $names }.{ $day ->
    [yes] { "" }
   *[no] {" "}Матч не идёт в зачёт.
}
day-same-cards = Сдача дня: сегодня все играют этими картами, засчитывается первый раз.
watch = смотреть
friends-may-watch = Друзья могут { $watch }: им видно то же, что всем за столом, а после сдачи — и карты на руках.
see-it-again = Посмотреть ещё раз
see-again-card-by-card = { $link }, карта за картой.
share = { $what ->
    [result] Поделиться результатом
    [replay] Поделиться записью
   *[link] Поделиться ссылкой
}
address-copied = Адрес скопирован.
the-log = Протокол
log-is-yours = { $link }: все ходы в виде текста. Повтор и протокол хранятся здесь месяц.

## The guided first deals: at most 15 words at a time

coach = Тренер
go-on = Дальше
skip = Пропустить
learn = Научиться за пять минут
learnt = Вы знаете достаточно, чтобы играть
learnt-helps = Стол обводит карты, которыми можно ходить. Большой заходит со старшего козыря, пока его никто не побьёт, потом с туза. У правил бывают исключения: примерно один раз из семи лучше другая карта. Подсказка пробует ваши карты во многих раскладах, возможных по увиденному. Справка (?) у каждого стола ведёт назад к этому уроку.
learnt-match = Здесь дважды подряд сдавал Юрис; за столом сдают по очереди, влево. Матч выигрывает тот, у кого после последней сдачи больше всех вистов.
start-playing = Играть
anna = Анна
juris = Юрис
coach-welcome = Добро пожаловать! У троих игроков по восемь карт; две посередине — прикуп.
coach-trick = Взятка: каждый кладёт карту, и старшая забирает все три.
coach-passed = Каждый может заявить, что играет один. Сейчас желающих нет: проиграет тот, у кого больше взяток.
coach-trumps = Дамы, валеты и бубны — козыри, они бьют остальные. Первая — старшая, ваши обведены.
coach-suits = В трефах, пиках и червях только по четыре карты: туз, десятка, король, девятка.
coach-lead-low = Взятки вам не нужны: зайдите с девятки пик. В жёлтой рамке — чем можно ходить.
coach-lead-lower = С этой картой можно взять взятку. Начните с девятки пик.
coach-suit-first = Козыри часто берут взятку: придержите их. Зайдите с девятки пик.
coach-no-ace = Туза бьёт только козырь. Начните с маленькой девятки.
coach-highest = Десятка Анны — старшая пика: она берёт эту взятку и заходит.
coach-follow = Зашли с червей, нужна черва. Туз взял бы взятку: положите короля.
coach-ace-wins = Ваш туз бьёт десятку и берёт взятку. Положите короля.
coach-void = Треф у вас нет: можно класть любую карту. Избавьтесь от туза пик!
coach-off-suit = Ваш туз — не трефа и не козырь: взять он не может. Берёт десятка Анны.
coach-trump-takes = Козырь взял бы эту взятку, а она вам не нужна. Сбросьте туза.
coach-other-ace = Это не хуже. Но на этот раз сбросьте туза пик.
coach-trump-led = Зашли с козыря, нужен козырь. Дама взяла бы взятку: кладите девятку, семёрку берегите.
coach-lower-later = Тоже безопасно. Но мелкие карты не возьмут и потом: кладите девятку, берегите семёрку.
coach-queen-takes = Дама бьёт валета: взятка была бы вашей. Сыграйте девятку.
coach-rest = Юрис берёт взятку и заходит. Остальные карты сыграют за вас.
coach-trumped = У Анны больше нет треф: её десятка бубен, козырь, бьёт короля.
coach-queens = Порядок дам: трефы, пики, черви, бубны. Последнюю взятку берёт дама Анны.
coach-end-few = У Анны взяток больше всех: с неё каждому по два виста. Висты — это счёт.
coach-end-tie = Взяток поровну — решают очки: о них в следующей сдаче. Прикуп ничей.
coach-pass = Вы первая рука, слева от сдающего, и заявляете первым. Без дам карты слабы: нажмите «Пас».
coach-too-weak = Козыри слишком мелкие, чтобы играть одному. Нажмите «Пас».
coach-partners = Анна объявляет «Играю», и торговля окончена. Кто играет один, тот «большой».
coach-exchanged = Она взяла прикуп и снесла две карты. Вы с Юрисом — «маленькие».
coach-plus = «0+» значит: две снесённые карты тоже засчитываются Анне.
coach-had-ace = Не повезло: туз был у Анны. Она берёт взятку и заходит.
coach-points = В картах очки: туз 11, десятка 10, король 4, дама 3, валет 2, прочие 0.
coach-sides = Здесь очки взяток: Анне нужно 61 из 120, вам с Юрисом хватит 60.
coach-lead-ace = Первая рука и заходит первой. Кладите туза: его бьёт только козырь.
coach-why-ace = Туз даёт больше очков, и его бьёт только козырь. Зайдите с туза.
coach-partner-gave = Юрис положил десятку, она тоже ваша: вместе у вас { points }.
coach-lead-nothing = Зайдите с девятки червей: очков не отдаёте, а Юрис, может быть, её возьмёт.
coach-why-nothing = Поберегите козыри для следующих взяток. В девятке червей очков нет.
coach-other-nine = В ней тоже нет очков. Но туз червей может быть у Юриса.
coach-give = Зашли с козыря, дама Юриса старше. Вы кладёте последним: добавьте десятку!
coach-partner-has-it = Эту взятку уже берёт партнёр: отдайте ему десятку.
coach-take = Пик у вас нет: бейте козырем. Анна ходит последней, поэтому старшим: валетом.
coach-jack-safer = Верно, но козырь постарше здесь надёжнее. Возьмите валетом.
coach-trump-it = Тогда взятку возьмёт Анна. Побейте валетом!
coach-took = Ваш козырь бьёт даже туза Анны: { points }. Дальше сыграют за вас.
coach-defended = { points }: Анне уже не набрать 61. Вы с Юрисом выиграли!
coach-end-defended = Анна не набрала 61 очко: она платит вам обоим по два виста.
coach-end-worse = При 30 очках и меньше она платила бы по три, без взяток — по четыре.
coach-strong = Обычно играют, имея хотя бы пять козырей, из них две дамы, и туза другой масти.
coach-talon = «Играю» значит: вы берёте прикуп, сносите две карты, и одному нужно 61 очко.
coach-bid = Нажмите «Играю»: вы выиграете 2–6 вистов или проиграете 4–8.
coach-too-strong = С такими сильными картами стоит играть. Нажмите «Играю»!
coach-no-solo = В золе прикупа нет. С этими картами «Играю» надёжнее.
coach-discard = Снесите десятку и короля червей: их { points } останутся вам.
coach-why-hearts = Лучше десятку и короля червей: очки останутся у вас, а черви можно бить козырем.
coach-draw = Вашего старшего козыря никто не побьёт: зайдите с него. Обоим придётся отдать козырь.
coach-why-draw = Сначала выбейте их козыри, чтобы не побили туза: зайдите с дамы треф.
coach-highest-first = Почти так же хорошо. Но начните со старшей: с дамы треф.
coach-draw-again = Уже { points }. Теперь и даму пик никто не побьёт: зайдите с неё.
coach-why-again = У Анны и Юриса ещё есть козыри. Сначала зайдите с дамы пик.
coach-cash = { points }. Вашего старшего козыря теперь бьют валеты и дамы: зайдите с туза пик!
coach-why-cash = У них есть козыри старше ваших. Зайдите с туза пик.
coach-made = { points }: достаточно 61. Вы выиграли! Остальное сыграют за вас.
coach-end-made = Каждый платит один вист. С 91 очка — два, за все взятки — три.
coach-end-zole = Третья заявка — золе: 61 очко без прикупа, который идёт остальным.
coach-end-more = Золе приносит 8–12 или стоит 10–14: когда её играть, сказано в Справке (?).
table-decided = { $who ->
    [you] Вы { $wins ->
        [yes] выиграли
       *[no] проиграли
    }
   *[other] { $wins ->
        [yes] Выигрыш
       *[no] Проигрыш
    } — { $name }
}: { $settlement ->
    [fewest_tricks_collects] { $tied ->
        [yes] взяток так же мало, как у другого, но меньше очков
       *[no] взяток меньше всех ({ $count })
    }
    [most_points_pays] { $tied ->
        [yes] очков столько же, сколько у другого, но больше взяток
       *[no] очков больше всех ({ $count })
    }
   *[most_tricks_pays] { $tied ->
        [yes] взяток столько же, сколько у другого, но больше очков
       *[no] взяток больше всех ({ $count })
    }
}.
table-tied = { $paid ->
    [none] У всех поровну взяток и очков: никто не платит.
    [to] У двоих поровну взяток и очков: третий платит обоим.
   *[by] У двоих поровну взяток и очков: оба платят третьему.
}

## What came of a deal

result-none = Игру никто не объявил.
result-table = Все спасовали: распасы.
result-thrown-in = Все спасовали: пересдача.
# $tricks and $points are counts in words.
result-talon = У прикупа { points } ({ $tricks }).
# $end says how it ended for the declarer.
result-declared = { $who ->
    [you] Вы играли { a-game }: { $took }.{ $end ->
        [won] {" "}Вы выиграли.
        [lost] {" "}Вы проиграли.
        [surrendered] {" "}Вы сдались.
        [conceded] {" "}Маленькие сдались.
       *[none] { "" }
    }
   *[other] { $name }, { game }: { $took }.{ $end ->
        [won] {" "}Большой выиграл.
        [lost] {" "}Большой проиграл.
        [surrendered] {" "}Большой сдался.
        [conceded] {" "}Маленькие сдались.
       *[none] { "" }
    }
}
result-forfeit = { $who ->
    [you] Вы играли { a-game }: { $took }
   *[other] { $name }, { game }: { $took }
}{ $end ->
    [won] . Засчитан выигрыш, нарушитель — { $failed }.
   *[lost] . Засчитан проигрыш, нарушитель — { $failed }.
}
took-points = { points } ({ $tricks }), у маленьких { $theirs }
no-trick = ни одной взятки
result-fault = { $who ->
    [you] Вы
   *[other] { $name }
}: { $fault ->
    [timeout] время вышло
    [exited] нет за столом
    [illegal] не по правилам
    [malformed] непонятно
   *[other] { $fault }
}.
match-over-plain = Матч окончен.
where-ask = { $ask ->
    [blind] Втёмную
    [bid] Заявка
    [talon] Прикуп
    [discard] Снос
    [surrender] Сдаться
    [offer] Принять
   *[play] Ход
}
column-points = очки
column-tricks = взятки
column-stakes = висты

## A replay

match-title = { $league }, матч { $match }
deal-of = сдача { $deal } из { $most }
deal-shown-of = сдача { $deal } ({ $place }-я из { $most } показанных здесь)
after-deals = { $count ->
    [one] после { $count } сдачи
    [few] после { $count } сдач
    [many] после { $count } сдач
   *[other] после { $count } сдачи
}
in-deals-shown = { $count ->
    [1] за первую сдачу из показанных здесь
    [one] за первые { $count } сдачу из показанных здесь
    [few] за первые { $count } сдачи из показанных здесь
    [many] за первые { $count } сдач из показанных здесь
   *[other] за первые { $count } сдачи из показанных здесь
}
stakes-over = висты { $deals }
rules-players = { $count ->
    [one] { $count } игрок, { $games }
    [few] { $count } игрока, { $games }
    [many] { $count } игроков, { $games }
   *[other] { $count } игрока, { $games }
}
rules-all-pass = { $allpass ->
    [table] все пасуют: распасы
    [pool] все пасуют: пуля
    [redeal] все пасуют: пересдача
   *[other] все пасуют: { $allpass }
}
rules-pools = с пулями
rules-and-isolation = { $rules }; изоляция: { $level }
no-deal-played = В этом матче не сыграно ни одной сдачи.
# What a bot is asked, as a mark beside its name.
asked = { ask }?
is-asked = { $name } { $ask ->
    [blind] решает, играть ли втёмную
    [bid] обдумывает заявку
    [talon] решает, брать ли прикуп
    [discard] выбирает две карты в снос
    [play] выбирает карту
    [surrender] решает, сдаться ли
   *[offer] решает, принять ли предложение
}.
no-answer = { $name } не отвечает.
answers = { $name } отвечает: { $answer }.
seat-sits-out = Место { $seat } пропускает сдачу: её итог там узнают в конце.
no-fault-before = До этого нарушений нет.
no-fault-after = После этого нарушений нет.
fault-unknown = Место { $seat } не знает, будет ли нарушение: A — вид со всех мест.
mistake-unknown = Место { $seat } не знает, будет ли ошибка: A — вид со всех мест.
no-mistake-of-seat = До этого у места { $seat } явных ошибок нет.
no-mistake-before = { $all ->
    [yes] До этого явных ошибок нет.
   *[no] До этого в разобранных сдачах явных ошибок нет.
}
no-mistake-after = { $all ->
    [yes] После этого явных ошибок нет.
   *[no] После этого в разобранных сдачах явных ошибок нет.
}
result-unknown = Место { $seat } узнаёт результат в конце сдачи: A — вид со всех мест.
result-is-shown = Результат показан.
future-is-hidden = Дальнейшее скрыто.
deal-is-over = Сдача окончена.
match-is-over = Матч окончен.

## What can be done in a replay

trick-back = на взятку назад
card-back = на карту назад
play-or-pause = пуск или пауза
card-on = на карту вперёд
trick-on = на взятку вперёд
deal-back = на сдачу назад
deal-begin = начало сдачи
deal-end = конец сдачи
deal-on = на сдачу вперёд
fault-back = предыдущее нарушение
fault-on = следующее нарушение
mistake-back = предыдущая явная ошибка
mistake-on = следующая явная ошибка
show-result = показать результат сдачи или скрыть дальнейшее
close-help = закрыть справку
see-all = показать все карты
look-from-seat = вид с места { $seat }, { $name }
step = Шаг
deals = Сдачи
more = Ещё
look-from = Вид с мест
all-seats = все
a-deal = Сдача
result = результат
fault = Нарушение
mistake = Ошибка
before = назад
next = вперёд
moment-of-deal = Момент сдачи
help-future = То, что впереди, скрыто, пока вы сами не попросите его показать или не побываете там. Вид с места показывает только то, что это место знало. Щелчок по графику открывает ход или сдачу.
help-values = Оценки — это висты места, которому задан вопрос, если дальше все играют в открытую: в среднем по раскладам, которые с этого места не различить, и при настоящем раскладе. Явная ошибка стоит, судя по известному с места, полвиста или больше и притом больше двух стандартных ошибок.

## Parts of a replay

moves = Ходы этой сдачи
as-dealt = карты сданы
mark-fault = нарушение
mark-refused = отклонено
mark-note = заметка
mistake-costs = ошибка, цена
trick-to = взятка { $trick }: { $who ->
    [talon] прикуп
   *[other] { $name }
}, { points }
current-move = Текущий ход
bot-sent = Бот прислал { $answer }
fault-title = Нарушение
refused-title = Отклонено
note-title = Заметка
stderr-title = Вывод ошибок (stderr)
stderr-of = Вывод ошибок (stderr): { $bot }, весь матч
the-result = Результат
result-of-deal = Результат сдачи
show-the-result = Показать результат
seat-learns-later = Место узнаёт его, когда сдача окончена.
stakes-after = висты { $deals }
pools-after = Пули после неё: { $pools }.
no-pools-after = После неё пуль нет.
the-deals = Сдачи
filter-declarer = большой
filter-contract = игра
filter-swing = размах
filter-fault = с нарушением
any = не важно
none = нет
swing-or-more = { $count ->
    [one] от { $count } виста
    [few] от { $count } вистов
    [many] от { $count } вистов
   *[other] от { $count } виста
}
deals-found = { $count ->
    [one] { $found } из { $count } сдачи
    [few] { $found } из { $count } сдач
    [many] { $found } из { $count } сдач
   *[other] { $found } из { $count } сдачи
}
deals-found-so-far = { $count ->
    [one] { $found } из { $count } просмотренной сдачи
    [few] { $found } из { $count } просмотренных сдач
    [many] { $found } из { $count } просмотренных сдач
   *[other] { $found } из { $count } просмотренной сдачи
}
deals-later = Сдача попадает в список, когда она окончена.
show-all-deals = Показать все сдачи
no-contract = без игры
clear-mistakes = { $count ->
    [one] { $count } явная ошибка
    [few] { $count } явные ошибки
    [many] { $count } явных ошибок
   *[other] { $count } явной ошибки
}
seconds-of-deal = Секунды на каждый ход этой сдачи
seconds-of-seat = Секунды на каждый ход места { $seat } в этой сдаче
stakes-over-deals = Висты по сдачам
expected-stakes = Ожидаемые висты в этой сдаче, черта — до лучшего ответа
stakes-lost = Висты, потерянные на ответах в этой сдаче
course-of-deal = Как шла сдача
could-expect = При открытых картах { $name } может рассчитывать здесь на { $amount } виста

## The review in a replay

review = Разбор
value-appears-here = Здесь появится оценка каждого ответа.
hangs-on-hidden = Сколько это стоило, зависит от карт, которых с места { $seat } не видно.
no-choice = Выбора здесь не было, или он не разобран.
no-choice-of-seat = Выбора здесь не было, или он не разобран: A — вид со всех мест, оттуда страница может сделать разбор.
save-as-test = Сделать проверкой бота: { $command }
not-reviewed = Эта сдача не разобрана. В терминале { $command } разбирает весь матч.
# $bots are the names of those whose answers alone were reviewed.
reviewed-for-only = Разобрано только для { $bots }.
all-answers = Все ответы ({ $count })
clear-mistake = { $mark }: лучше { $better }.
clear-mistake-mark = ✗ Явная ошибка
no-better = ✓ Лучшего ответа не видно.
perhaps-better = ≈ Лучше выглядит { $better }, но это может быть случайностью.
# $open is "yes" where $revealed is told too: what it cost with open hands.
it-cost = Цена: { $loss } виста { $among }{ $open ->
    [yes] ; при открытых картах — { $revealed }.
   *[no] .
}
among-known = (с места было ясно, где лежит каждая карта)
among-all = { $count ->
    [one] в среднем по { $count } раскладу (это все, которые с места не различить)
    [few] в среднем по всем { $count } раскладам, которые с места не различить
    [many] в среднем по всем { $count } раскладам, которые с места не различить
   *[other] в среднем по { $count } расклада (это все, которые с места не различить)
}
among-some = { $count ->
    [one] в среднем по { $count } раскладу из тех, которые с места не различить
    [few] в среднем по { $count } раскладам из тех, которые с места не различить
    [many] в среднем по { $count } раскладам из тех, которые с места не различить
   *[other] в среднем по { $count } расклада из тех, которые с места не различить
}
column-answer = ответ
column-known = с места
column-open = в открытую
given-or-best = данный или лучший
given = ● дан
best = ★ лучший

## Why a hint is good

why-only = Другого правила не позволяют.
why-unbeatable = Её не бьёт ни одна из оставшихся карт.
why-draws-trumps = Она выбивает чужие козыри.
why-only-trumps = Её бьёт только козырь.
why-before-trumped = Возьмите её очки сейчас, пока другим, может быть, надо отвечать в масть: козыри подождут.
why-takes-now = Пока взятку берёт она.
why-does-not-take = Она не берёт взятку.
why-takes = Она берёт взятку: { points }{ $more ->
    [yes] {" "}или больше
   *[no] { "" }
}.
why-side-takes = Взятка в любом случае остаётся за вашей стороной: { points } или больше.
why-partner-takes = Взятку берёт ваш партнёр: отдайте ему { points }.
why-partner-so-far = Пока взятку берёт ваш партнёр: отдайте ему { points }.
why-partner-may-trump = У вашего партнёра нет этой масти, и он может взять козырем: отдайте ему { points }.
why-partner-last = Ваш партнёр ходит последним и может взять взятку: отдайте ему { points }.
why-keeps-trumps = Она бережёт { $count ->
    [one] ваш козырь
    [few] ваши козыри
    [many] ваши козыри
   *[other] ваши козыри
}.
why-keeps-higher = { CARD($card) } остаётся на потом.
why-keeps-at-a-price = Это стоит на { points } больше, но { CARD($card) } остаётся на потом.
why-keeps-lower = { CARD($card) } остаётся на потом: эта карта слабее.
why-keeps-winner = { CARD($card) } остаётся на потом: её бьёт только козырь.
why-harder = Её труднее побить: { CARD($card) } слабее.
why-sets-up = Когда { CARD($card) } уйдёт, старшая карта этой масти будет у вас.
why-risks-less = Это стоит меньше очков, чем { CARD($card) }, если взятка проиграна.
why-no-points = В ней нет очков, терять нечего.
why-weakest = Это самая слабая из карт, которыми можно ходить.
why-in-any-case = Она возьмёт взятку, когда бы вы её ни положили: её не бьёт ни одна из оставшихся карт. Младшие карты пригодятся позже.
why-strongest = Так вы избавляетесь от самой сильной из возможных карт.
why-fewest-points = Она отдаёт меньше всего очков.
why-void = { $suit ->
    [clubs] Без треф эту масть можно бить козырем.
    [spades] Без пик эту масть можно бить козырем.
   *[hearts] Без червей эту масть можно бить козырем.
}
why-void-later = { $suit ->
    [clubs] Без треф вы сможете сбрасывать старшие карты, когда ходят в эту масть.
    [spades] Без пик вы сможете сбрасывать старшие карты, когда ходят в эту масть.
   *[hearts] Без червей вы сможете сбрасывать старшие карты, когда ходят в эту масть.
}
why-others-higher = { $count ->
    [one] Осталась { $count } старшая карта этой масти: взятку, возможно, возьмёт другой.
    [few] Остались { $count } старшие карты этой масти: взятку, возможно, возьмёт другой.
    [many] Осталось { $count } старших карт этой масти: взятку, возможно, возьмёт другой.
   *[other] Осталось { $count } старшей карты этой масти: взятку, возможно, возьмёт другой.
}
why-shorter = Чем меньше карт этой масти останется, тем скорее вы сможете сбрасывать старшие карты.
why-safe = Вы оставляете себе { points }.
why-same-word = { answer-word } — примерно так же хорошо.
why-same-discards = В среднем примерно не хуже снести: { $cards }{ $more ->
    [yes] {" "}и другие
   *[no] { "" }
}.
why-no-matter = { $end ->
    [pays] Разницы нет: с каждой картой вы платите примерно в { $count } из 100 раскладов, согласных с тем, что вы видели.
    [lost] Разницы нет: с каждой картой вы проигрываете примерно столько же.
    [won] Разницы нет: с каждой картой вы выигрываете примерно столько же.
   *[even] Разницы нет: с каждой картой вы выигрываете примерно { $count } из 100 раскладов, согласных с тем, что вы видели.
}
why-same-but = В среднем не хуже: любая карта, которой можно ходить, кроме { $cards }.
why-same-cards = В среднем не хуже: { $cards }.
why-better = В среднем на { $ahead } виста лучше для вас, чем любой другой ответ.
why-wins = { $end ->
    [more] Из 100 раскладов, согласных с тем, что вы видели, с этой картой вы выигрываете { $won }, а с другой ({ CARD($card) }) { $less }.
    [pays] Из 100 раскладов, согласных с тем, что вы видели, с этой картой вы платите в { $won }, а с другой ({ CARD($card) }) в { $less }.
    [lost] С другой картой ({ CARD($card) }) вы тоже проигрываете, и в среднем на { $ahead } виста больше.
    [won] С другой картой ({ CARD($card) }) вы тоже выигрываете, но в среднем на { $ahead } виста меньше.
    [even] С другой картой ({ CARD($card) }) вы выигрываете так же часто, но в среднем получаете на { $ahead } виста меньше.
   *[less] В среднем на { $ahead } виста лучше для вас, чем другая карта ({ CARD($card) }).
}
why-rule-fails = Здесь правило «сначала старший козырь» не годится.
why-worth = Ваши висты в среднем:
why-also = { answer-word } { $next }.
why-too-close = Разница меньше половины виста слишком мала.
why-hand = На руках: козыри { $trumps }, дамы { $queens }, некозырные тузы { $aces }.
more-answers = … ещё { $count } …
# Above the values of all answers as bars.
values-of-answers = { $kind ->
    [cost] Разница с лучшей, в вистах:
    [open] Разница с лучшей, если видеть все карты:
   *[worth] Ваши висты в среднем:
}

## Beside the page

# What stands on a key.
key-cap = { $key ->
    [space] Пробел
    [enter] Enter
    [page-up] PgUp
    [page-down] PgDn
    [home] Home
    [end] End
   *[escape] Esc
}
# Where a browser runs no scripts.
replay-needs-script = Этой странице нужен JavaScript: разрешите файлу выполнить его скрипт, который не обращается к сети.
table-needs-script = Этой странице нужен JavaScript: разрешите ей выполнить её скрипт, который обращается только к компьютеру, откуда она пришла.
