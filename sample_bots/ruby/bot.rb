# A bot for the Zole Arena in Ruby, with its standard library alone.
require "json"
require "set"

$stdout.sync = true # each answer must leave at once

TRUMPS = %w[QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D].freeze # from the strongest
DECK = (TRUMPS + %w[AC TC KC 9C AS TS KS 9S AH TH KH 9H]).freeze
POINTS = { "A" => 11, "T" => 10, "K" => 4, "Q" => 3, "J" => 2 }.freeze

# What a hand must be worth for a bid: the first numbers to try others for.
ORDINARY = 13
SOLO = 21

def points(card) = POINTS.fetch(card[0], 0)
def trump?(card) = TRUMPS.include?(card)
def suit(card) = trump?(card) ? "trump" : card[1]
def place(card) = DECK.index(card)

# Does a card win over the best one of a trick?
def beats?(card, best)
  suit(card) == suit(best) ? place(card) < place(best) : trump?(card)
end

# What a hand is worth to a declarer.
def worth(hand)
  hand.sum do |card|
    next card[0] == "A" ? 2 : 0 unless trump?(card)

    { "Q" => 4, "J" => 3 }.fetch(card[0], 2)
  end
end

# Knows what has happened in the deal, and answers each request by a method of its type.
class Player
  def initialize
    @gone = Set.new
    @declarer = nil
    @contract = nil
  end

  def remember(event)
    case event["event"]
    when "deal" then initialize
    when "contract" then @declarer, @contract = event.values_at("declarer", "contract")
    when "card" then @gone << event["card"]
    end
  end

  def blind(_) = { blind: false }

  def bid(request)
    value = worth(request["hand"])
    wish = value >= SOLO ? "solo" : value >= ORDINARY ? "ordinary" : "pass"
    { bid: request["legal"].include?(wish) ? wish : "pass" }
  end

  def talon(request) = { choice: worth(request["hand"]) >= SOLO ? "give" : "take" }

  # Points are safe in the discard, and a suit that is gone can be trumped.
  def discard(request)
    hand = request["hand"]
    plain = hand.reject { |card| trump?(card) }
    order = plain.sort_by do |card|
      alone = plain.count { |other| suit(other) == suit(card) } == 1
      [card[0] == "A" ? 1 : 0, -points(card) - (alone ? 5 : 0), place(card)]
    end
    cards = (order + hand.select { |card| trump?(card) }.reverse).first(2)
    @gone.merge(cards) # no event tells of our own discard
    { cards: cards }
  end

  def surrender(_) = { surrender: false }
  def offer(_) = { accept: true }

  def play(request)
    legal, trick, seat = request.values_at("legal", "trick", "seat")
    return { card: avoid(legal, trick) } if @declarer.nil? || @contract == "small_solo"

    { card: trick.empty? ? lead(legal, seat, request["hand"]) : follow(legal, trick, seat, request["hand"]) }
  end

  # An answer was refused: the plainest one there is.
  def plain(request)
    case request["type"]
    when "play" then { card: request["legal"].first }
    when "bid" then { bid: request["legal"].first }
    when "discard" then { cards: request["hand"].last(2) }
    else send(request["type"], request)
    end
  end

  private

  # Can nobody else hold a card that beats this one?
  def sure?(card, hand)
    (DECK - hand).none? { |other| !@gone.include?(other) && beats?(other, card) }
  end

  def best_of(trick) = trick.reduce { |best, laid| beats?(laid["card"], best["card"]) ? laid : best }

  # Where tricks are bad: the strongest card that loses, else the weakest.
  def avoid(legal, trick)
    losing = trick.empty? ? [] : legal.reject { |card| beats?(card, best_of(trick)["card"]) }
    losing.empty? ? legal.max_by { |card| place(card) } : losing.max_by { |card| [points(card), -place(card)] }
  end

  def lead(legal, seat, hand)
    sure = legal.select { |card| sure?(card, hand) }
    return sure.max_by { |card| points(card) } unless sure.empty?
    return legal.min_by { |card| place(card) } if seat == @declarer && trump?(legal.first)

    legal.min_by { |card| [trump?(card) ? 1 : 0, points(card), -place(card)] }
  end

  def follow(legal, trick, seat, hand)
    best = best_of(trick)
    partner = seat != @declarer && best["seat"] != @declarer
    last = trick.length == 2
    winners = legal.select { |card| beats?(card, best["card"]) }
    if partner && (last || sure?(best["card"], hand))
      return legal.max_by { |card| [points(card), place(card)] }
    end

    safe = winners.select { |card| last || sure?(card, hand) }
    return safe.max_by { |card| [points(card), place(card)] } unless safe.empty?

    legal.min_by { |card| [points(card), -place(card)] }
  end
end

player = Player.new
request = nil
$stdin.each_line do |line|
  message = JSON.parse(line)
  (message["events"] || []).each { |event| player.remember(event) }
  answer =
    case message["type"]
    when "hello"
      { type: "ready", protocol: 1, asks: %w[surrender offer] }
    when "error"
      { type: request["type"], id: message["id"] }.merge(player.plain(request))
    when "blind", "bid", "talon", "discard", "play", "surrender", "offer"
      request = message
      { type: message["type"], id: message["id"] }.merge(player.send(message["type"], message))
    end
  puts JSON.generate(answer) if answer
end
