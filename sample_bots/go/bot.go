// A bot for the Zole Arena in Go, with the standard library only.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

// How strong a hand must be for each bid: the first numbers to try others for.
const (
	strongForOrdinary = 15
	strongForSolo     = 21
)

// The deck is sorted from strong to weak, so a place in it tells which of two cards is stronger.
var deck = strings.Fields("QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D AC TC KC 9C AS TS KS 9S AH TH KH 9H")
var place = map[string]int{}
var rankPoints = map[byte]int{'A': 11, 'T': 10, 'K': 4, 'Q': 3, 'J': 2}

// Message has the fields that we use, of all types of message. Others are ignored.
type Message struct {
	Type   string
	ID     int
	Seat   int
	Events []Event
	Hand   []string
	Legal  []string
	Trick  []Laid
}

// Event is one of those that tell the contract, or another that we ignore. Declarer is nil at the table.
type Event struct {
	Event    string
	Contract string
	Declarer *int
}

// Laid is a card of the trick. Its Seat is a number or "talon", so it can be anything.
type Laid struct {
	Seat any
	Card string
}

// Answer is a line of ours; what it holds depends on its type.
type Answer map[string]any

// Bot is what we remember between messages.
type Bot struct {
	request  Message // the last one, in case our answer is refused
	contract string
	declarer *int
}

// ---- cards ----

func points(card string) int { return rankPoints[card[0]] }

func isTrump(card string) bool { return place[card] < 14 }

func suit(card string) string {
	if isTrump(card) {
		return "trump"
	}
	return card[1:]
}

// beats tells whether card wins over best, which leads the trick so far.
func beats(card, best string) bool {
	if suit(card) == suit(best) {
		return place[card] < place[best]
	}
	return isTrump(card)
}

func only(cards []string, wanted func(string) bool) []string {
	var kept []string
	for _, card := range cards {
		if wanted(card) {
			kept = append(kept, card)
		}
	}
	return kept
}

// most returns the card for which a measure is greatest.
func most(measure func(string) int, cards []string) string {
	found := cards[0]
	for _, card := range cards[1:] {
		if measure(card) > measure(found) {
			found = card
		}
	}
	return found
}

// Three measures for most: of cards with equal points the weaker one goes first.
func weak(card string) int { return place[card] }
func rich(card string) int { return 100*points(card) + weak(card) }
func poor(card string) int { return weak(card) - 100*points(card) }

func isPlain(card string) bool { return !isTrump(card) }

// ---- before the play ----

// strength is what a hand is worth to a declarer: trumps, above all high ones, and plain aces.
func strength(hand []string) int {
	sum := 0
	for _, card := range hand {
		switch {
		case card[0] == 'Q':
			sum += 4
		case card[0] == 'J':
			sum += 3
		case isTrump(card), card[0] == 'A':
			sum += 2
		}
	}
	return sum
}

func chooseBid(hand, legal []string) string {
	wish := "pass"
	if strength(hand) >= strongForSolo {
		wish = "solo"
	} else if strength(hand) >= strongForOrdinary {
		wish = "ordinary"
	}
	for _, bid := range legal {
		if bid == wish {
			return wish
		}
	}
	return "pass" // not every bid is legal under all rules
}

// chooseDiscard saves points, for the discard counts for us. Aces take tricks, and trumps stay.
func chooseDiscard(hand []string) []string {
	gain := func(card string) int {
		if isTrump(card) {
			return -2
		}
		if card[0] == 'A' {
			return -1
		}
		return points(card)
	}
	cards := append([]string{}, hand...)
	sort.SliceStable(cards, func(i, j int) bool { return gain(cards[i]) > gain(cards[j]) })
	return cards[:2]
}

// ---- the play ----

// winning returns the card that takes the trick as it stands.
func winning(trick []Laid) Laid {
	best := trick[0]
	for _, laid := range trick[1:] {
		if beats(laid.Card, best.Card) {
			best = laid
		}
	}
	return best
}

// playLow is for deals where nobody wants a trick.
func playLow(legal []string, trick []Laid) string {
	if len(trick) == 0 {
		return most(weak, legal)
	}
	best := winning(trick).Card
	losing := only(legal, func(card string) bool { return !beats(card, best) })
	if len(losing) > 0 {
		return most(rich, losing) // get rid of a dangerous card
	}
	return most(weak, legal)
}

func lead(legal []string, iDeclare bool) string {
	if iDeclare && isTrump(legal[0]) {
		return legal[0] // the strongest, to draw the trumps of the others
	}
	plain := only(legal, isPlain)
	if len(plain) == 0 {
		return most(weak, legal)
	}
	if richest := most(rich, plain); richest[0] == 'A' {
		return richest
	}
	return most(poor, plain)
}

func follow(legal []string, trick []Laid, partners bool) string {
	last := len(trick) == 2
	best := winning(trick).Card
	winners := only(legal, func(card string) bool { return beats(card, best) })
	switch {
	case last && partners:
		return most(rich, legal) // our points are safe with the partner
	case partners || len(winners) == 0:
		return most(poor, legal)
	case last:
		return most(rich, winners) // nobody can take these points back
	}
	return most(poor, winners)
}

func (b *Bot) chooseCard(m Message) string {
	if b.declarer == nil || b.contract == "small_solo" {
		return playLow(m.Legal, m.Trick)
	}
	iDeclare := m.Seat == *b.declarer
	if len(m.Trick) == 0 {
		return lead(m.Legal, iDeclare)
	}
	declarerTakes := winning(m.Trick).Seat == float64(*b.declarer) // in JSON each number is a float64
	return follow(m.Legal, m.Trick, !iDeclare && !declarerTakes)
}

// ---- talking to the arena ----

// remember takes in what happened since the last line.
func (b *Bot) remember(events []Event) {
	for _, event := range events {
		if event.Event == "contract" {
			b.contract, b.declarer = event.Contract, event.Declarer
		}
	}
}

// answer returns nil for messages that ask for nothing, and for types that we do not know.
func (b *Bot) answer(m Message) Answer {
	switch m.Type {
	case "blind":
		return Answer{"blind": false}
	case "bid":
		return Answer{"bid": chooseBid(m.Hand, m.Legal)}
	case "talon":
		if strength(m.Hand) >= strongForSolo {
			return Answer{"choice": "give"}
		}
		return Answer{"choice": "take"}
	case "discard":
		return Answer{"cards": chooseDiscard(m.Hand)}
	case "surrender":
		return Answer{"surrender": len(only(m.Hand, isTrump)) < 2}
	case "offer":
		return Answer{"accept": true}
	case "play":
		return Answer{"card": b.chooseCard(m)}
	}
	return nil
}

// correction replaces an answer that was refused with the first that is allowed.
func (b *Bot) correction() Answer {
	switch b.request.Type {
	case "play":
		return Answer{"card": b.request.Legal[0]}
	case "bid":
		return Answer{"bid": b.request.Legal[0]}
	}
	return b.answer(b.request)
}

// handle returns our line for a message, or nil.
func (b *Bot) handle(m Message) Answer {
	if m.Type == "hello" {
		return Answer{"type": "ready", "protocol": 1, "asks": []string{"surrender", "offer"}}
	}
	b.remember(m.Events)
	answer := b.answer(m)
	if m.Type == "error" {
		answer = b.correction()
	} else if answer != nil {
		b.request = m
	}
	if answer != nil {
		answer["type"], answer["id"] = b.request.Type, b.request.ID
	}
	return answer
}

func main() {
	for i, card := range deck {
		place[card] = i
	}
	var bot Bot
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return // the arena has closed our input
		}
		var message Message
		if err := json.Unmarshal(line, &message); err != nil {
			fmt.Fprintln(os.Stderr, err) // what could be read is there all the same
		}
		if answer := bot.handle(message); answer != nil {
			text, _ := json.Marshal(answer)
			fmt.Println(string(text)) // not buffered in Go
		}
	}
}
