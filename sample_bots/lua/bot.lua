-- A bot for the Zole Arena in Lua 5.4, without any library.
io.stdout:setvbuf("line") -- each answer must leave at once

local TRUMPS = {"QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D", "8D", "7D"}
local PLAIN = {"AC", "TC", "KC", "9C", "AS", "TS", "KS", "9S", "AH", "TH", "KH", "9H"}
local POINTS = {A = 11, T = 10, K = 4, Q = 3, J = 2}

-- What a hand must be worth for a bid: the first numbers to try others for.
local ORDINARY, SOLO = 13, 21

local deck, place = {}, {} -- all cards from the strongest, and each one's place
for _, cards in ipairs({TRUMPS, PLAIN}) do
  for _, card in ipairs(cards) do
    deck[#deck + 1] = card
    place[card] = #deck
  end
end

local gone, declarer, contract = {}, nil, nil -- of this deal

-- ---- cards ----

local function rank(card) return card:sub(1, 1) end
local function points(card) return POINTS[rank(card)] or 0 end
local function is_trump(card) return place[card] <= #TRUMPS end
local function suit(card) return is_trump(card) and "trump" or card:sub(2) end

local function beats(card, best)
  if suit(card) == suit(best) then return place[card] < place[best] end
  return is_trump(card)
end

-- The card of a list for which a function gives most; of equal ones the first.
local function most(cards, value)
  local best, much
  for _, card in ipairs(cards) do
    local here = value(card)
    if not best or here > much then best, much = card, here end
  end
  return best
end

local function only(cards, test)
  local found = {}
  for _, card in ipairs(cards) do
    if test(card) then found[#found + 1] = card end
  end
  return found
end

local function worth(hand)
  local sum = 0
  for _, card in ipairs(hand) do
    if is_trump(card) then
      sum = sum + (({Q = 4, J = 3})[rank(card)] or 2)
    elseif rank(card) == "A" then
      sum = sum + 2
    end
  end
  return sum
end

-- Can nobody else hold a card that beats this one?
local function is_sure(card, hand)
  local own = {}
  for _, mine in ipairs(hand) do own[mine] = true end
  return #only(deck, function(other) return not gone[other] and not own[other] and beats(other, card) end) == 0
end

-- ---- answers, by the type of the request ----

local answers = {}

function answers.blind() return '"blind":false' end
function answers.surrender() return '"surrender":false' end
function answers.offer() return '"accept":true' end
function answers.talon(request)
  return '"choice":"' .. (worth(request.hand) >= SOLO and "give" or "take") .. '"'
end

function answers.bid(request)
  local value = worth(request.hand)
  local wish = value >= SOLO and "solo" or value >= ORDINARY and "ordinary" or "pass"
  local allowed = #only(request.legal, function(bid) return bid == wish end) > 0
  return '"bid":"' .. (allowed and wish or "pass") .. '"'
end

-- Points are safe in the discard; trumps only where nothing else is left, and aces late.
function answers.discard(request)
  local hand, cards = {table.unpack(request.hand)}, {}
  for number = 1, 2 do
    cards[number] = most(hand, function(card)
      return points(card) - (is_trump(card) and 50 or 0) - (rank(card) == "A" and 30 or 0)
    end)
    gone[cards[number]] = true -- no event tells of our own discard
    hand = only(hand, function(card) return card ~= cards[number] end)
  end
  return '"cards":["' .. cards[1] .. '","' .. cards[2] .. '"]'
end

local function winning(trick)
  local best = trick[1]
  for _, laid in ipairs(trick) do
    if beats(laid.card, best.card) then best = laid end
  end
  return best
end

-- Where tricks are bad: the richest card that loses, else the weakest.
local function avoid(legal, trick)
  local losing = only(legal, function(card) return trick[1] and not beats(card, winning(trick).card) end)
  if #losing > 0 then return most(losing, points) end
  return most(legal, function(card) return place[card] end)
end

local function cheapest(legal)
  return most(legal, function(card) return place[card] / 100 - points(card) - (is_trump(card) and 3 or 0) end)
end

local function lead(request)
  local sure = only(request.legal, function(card) return is_sure(card, request.hand) end)
  if #sure > 0 then return most(sure, points) end
  local trumps = only(request.legal, is_trump)
  if request.seat == declarer and #trumps > 3 then return trumps[1] end
  return cheapest(request.legal)
end

local function follow(request)
  local best, last = winning(request.trick), #request.trick == 2
  local partner = request.seat ~= declarer and best.seat ~= declarer
  if partner and (last or is_sure(best.card, request.hand)) then return most(request.legal, points) end
  local safe = only(request.legal, function(card)
    return beats(card, best.card) and (last or is_sure(card, request.hand))
  end)
  if #safe > 0 then return most(safe, points) end
  return cheapest(request.legal)
end

function answers.play(request)
  local card
  if not declarer or contract == "small_solo" then
    card = avoid(request.legal, request.trick)
  else
    card = #request.trick == 0 and lead(request) or #request.trick > 0 and follow(request)
  end
  return '"card":"' .. card .. '"'
end

-- An answer was refused: the plainest one there is.
local function plain(request)
  if request.type == "play" then return '"card":"' .. request.legal[1] .. '"' end
  if request.type == "bid" then return '"bid":"' .. request.legal[1] .. '"' end
  if request.type == "discard" then
    return '"cards":["' .. request.hand[1] .. '","' .. request.hand[2] .. '"]'
  end
  return answers[request.type](request)
end

-- ---- talking to the arena ----

-- The JSON value that begins at a place of a text, and the place behind it. Null becomes nil.
local read

local function read_text(text, at)
  local from, parts = at + 1, {}
  while true do
    local stop = text:find('["\\]', from)
    parts[#parts + 1] = text:sub(from, stop - 1)
    if text:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    parts[#parts + 1] = text:sub(stop + 1, stop + 1) -- no text that we look at has an escape
    from = stop + 2
  end
end

local function read_many(text, at, close)
  local found = {}
  at = text:find("%S", at + 1)
  while text:sub(at, at) ~= close do
    local key, value = #found + 1, nil
    if close == "}" then
      key, at = read_text(text, at)
      at = text:find("%S", text:find(":", at, true) + 1)
    end
    value, at = read(text, at)
    found[key] = value
    at = text:find("%S", at)
    if text:sub(at, at) == "," then at = text:find("%S", at + 1) end
  end
  return found, at + 1
end

function read(text, at)
  local sign = text:sub(at, at)
  if sign == '"' then return read_text(text, at) end
  if sign == "{" then return read_many(text, at, "}") end
  if sign == "[" then return read_many(text, at, "]") end
  local word = text:match("^[^%s,%]}]+", at)
  local value = tonumber(word)
  if value == nil and word ~= "null" then value = word == "true" end
  return value, at + #word
end

local function remember(event)
  if event.event == "deal" then gone, declarer, contract = {}, nil, nil end
  if event.event == "contract" then declarer, contract = event.declarer, event.contract end
  if event.event == "card" then gone[event.card] = true end
end

local request
for line in io.lines() do
  local message = read(line, 1)
  for _, event in ipairs(message.events or {}) do remember(event) end
  if message.type == "hello" then
    print('{"type":"ready","protocol":1,"asks":["surrender","offer"]}')
  elseif message.type == "error" then
    print(('{"type":"%s","id":%d,%s}'):format(request.type, message.id, plain(request)))
  elseif answers[message.type] then
    request = message
    print(('{"type":"%s","id":%d,%s}'):format(message.type, message.id, answers[message.type](message)))
  end
end
