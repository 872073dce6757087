// The page: where one is, what moves it, and the parts that show it.

import { Component, render } from "preact";
import { type Controls, HELP, actions, keyOf } from "./actions";
import { Course, Stakes, Times } from "./charts";
import { Buttons, More, Slider, momentsOf } from "./controls";
import { Deals } from "./deals";
import { Details } from "./details";
import { Evaluation } from "./evaluation";
import { Header } from "./header";
import { Help } from "./help";
import { language, say } from "./language";
import { type Content, type Seat, take } from "./match";
import { Moves } from "./moves";
import { type Place, type Step, distance, endOf, last, nextCard, known, nextFault, read, tricks, way, write } from "./place";
import { ResultOf } from "./result";
import { nextMistake, shownVerdicts } from "./reviews";
import { type Settings, keep, keptSettings } from "./settings";
import { Sight, type View } from "./sight";
import { Table } from "./table";
import { needed, telling } from "./telling";
import { Worth } from "./worth";

const PLAY_MS = 700;
/** Cards of a deal that is only watched come at the pace of people at a table: so long is a beat of it. */
const BEAT_MS = 1400;
/** Browsers refuse an address that changes more often than about twenty times a second. */
const ADDRESS_MS = 100;

interface State {
  at: Place;
  /** How far the reader has been, or asked to see. */
  seen: Place;
  playing: boolean;
  help: boolean;
  /** A word to the reader, until the next step. */
  said: string;
  settings: Settings;
}

/** Whether the page is a part of another one that shows deal after deal. */
const TELEVISION = [location.search, location.hash].some((part) => new URLSearchParams(part.slice(1)).has("tv"));

class Page extends Component<Content, State> implements Controls {
  override state: State = {
    at: read(this.props.match, location.hash),
    seen: read(this.props.match, location.hash),
    playing: false,
    help: false,
    said: "",
    settings: keptSettings(),
  };
  private timer: ReturnType<typeof setInterval> | undefined;
  /** How many beats the place has been shown. */
  private beats = 0;
  private writing: ReturnType<typeof setTimeout> | undefined;
  private readonly keys = new Map(
    actions(this.props.match, this.props.review !== null).map((action) => [action.key, action]),
  );

  override componentWillMount() {
    document.documentElement.classList.toggle("tv", TELEVISION);
  }

  override componentDidMount() {
    document.addEventListener("keydown", (event) => this.key(event));
    // The address of the moment: `note` may have written another one since.
    addEventListener("hashchange", ({ newURL }) => this.to(read(this.props.match, new URL(newURL).hash)));
    this.note();
    if (!TELEVISION) return;
    addEventListener("message", ({ source, data }) => {
      if (source === parent && data === (this.state.playing ? "pause" : "play")) this.play();
    });
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.tell("paused");
    else this.play();
  }

  go(step: Step) {
    const { match } = this.props;
    const from = known(match, this.state.at);
    this.to(way(match, from, step(match, from)));
  }

  fault(forward: boolean) {
    const { match } = this.props;
    const at = known(match, this.state.at);
    const found = nextFault(match, at, forward);
    if (found) return this.to(found);
    if (!forward) return this.setState({ said: say("no-fault-before") });
    this.setState({ said: at.seat === null ? say("no-fault-after") : say("fault-unknown", { seat: String(at.seat) }) });
  }

  mistake(forward: boolean) {
    const { match, review } = this.props;
    const at = known(match, this.state.at);
    const found = nextMistake(match, review!, at, forward);
    if (found) return this.to(found);
    if (at.seat !== null) {
      return this.setState({ said: say(forward ? "mistake-unknown" : "no-mistake-of-seat", { seat: String(at.seat) }) });
    }
    const all = review!.deals.every(({ verdicts }) => verdicts !== null);
    this.setState({ said: say(forward ? "no-mistake-after" : "no-mistake-before", { all: all ? "yes" : "no" }) });
  }

  look(seat: Seat | null) {
    this.to({ ...this.state.at, seat });
  }

  play() {
    if (this.state.playing) {
      this.tell("paused");
      return this.pause();
    }
    this.timer = setInterval(() => (TELEVISION ? this.beat() : this.advance()), TELEVISION ? BEAT_MS : PLAY_MS);
    this.setState({ playing: true });
    this.tell("playing");
  }

  result() {
    const { at, seen } = this.state;
    const end = { ...at, ply: last(this.props.match.deals[at.deal]!) };
    if (at.seat !== null) {
      const unknown = say("result-unknown", { seat: String(at.seat) });
      this.setState({ said: distance(at, end) > 0 ? unknown : say("result-is-shown") });
    } else if (distance(seen, end) > 0) this.setState({ seen: end, said: say("result-is-shown") });
    else this.setState({ seen: at, said: say("future-is-hidden") });
  }

  help(shown = true) {
    this.setState({ help: shown });
  }

  /** Hands that were just dealt are looked at, and so is a trick before it goes. */
  private beat() {
    const at = known(this.props.match, this.state.at);
    const deal = this.props.match.deals[at.deal]!;
    this.beats += 1;
    if (this.beats < (at.ply === 0 ? 3 : tricks(deal).includes(at.ply) ? 2 : 1)) return;
    if (at.ply < last(deal)) return this.advance();
    this.pause(say("deal-is-over"));
    this.tell("over");
  }

  /** Say something to the page that shows deal after deal. */
  private tell(what: "playing" | "paused" | "over") {
    if (TELEVISION) parent.postMessage(what, "*");
  }

  private advance() {
    const at = known(this.props.match, this.state.at);
    this.go(nextCard);
    if (nextCard(this.props.match, at) === at) this.pause(say("match-is-over"));
  }

  private pause(said = "") {
    clearInterval(this.timer);
    this.setState({ playing: false, said });
  }

  private to(at: Place, said = "") {
    const { seen } = this.state;
    this.beats = 0;
    this.setState({ at, seen: distance(seen, at) > 0 ? at : seen, said });
    this.note();
  }

  /** Keep the address up to date, at most every so often. */
  private note() {
    this.writing ??= setTimeout(() => {
      this.writing = undefined;
      history.replaceState(null, "", write(this.props.match, this.state.at));
    }, ADDRESS_MS);
  }

  private key(event: KeyboardEvent) {
    const key = keyOf(event);
    const action = key === null ? undefined : this.keys.get(key);
    if (!action) return;
    if (this.state.help && action !== HELP[1]) return;
    const own = key === " " ? 'button, summary, select, [type="checkbox"]' : "select";
    if (event.target instanceof Element && event.target.closest(own)) return;
    event.preventDefault();
    action.run(this);
  }

  override render({ match, back, review }: Content, state: State) {
    const { seen, playing, help, said } = state;
    const at = known(match, state.at);
    const deal = match.deals[at.deal]!;
    const sight = new Sight(match, at, seen);
    const reviewed = review?.deals[at.deal] ?? null;
    const view: View = { match, deal, at, sight };
    const told = TELEVISION ? `${telling(view)} ${needed(view)}` : telling(view);
    const most = momentsOf(view);
    const go = (to: Place) => this.to(way(match, at, to));
    const ply = (ply: number) => go({ ...at, ply });
    const stage = (
      <div class="stage">
        <Table {...view} />
        <div class="controls">
          <p class="status" role="status">
            {`${said} ${told}`}
          </p>
          {reviewed !== null && <Evaluation {...view} reviewed={reviewed} most={most} />}
          {!TELEVISION && <Slider {...view} most={most} told={told} go={ply} />}
          <Buttons playing={playing} page={this} />
        </div>
      </div>
    );
    const result = <ResultOf {...view} show={() => this.result()} />;
    const helps = help && <Help match={match} reviewed={review !== null} close={() => this.help(false)} />;
    if (TELEVISION)
      return (
        <>
          <main>
            <div class="left">{stage}</div>
            <div class="right">{result}</div>
          </main>
          {helps}
        </>
      );
    return (
      <>
        <Header match={match} back={back} view={view} />
        <main>
          <div class="left">
            {stage}
            <div class="below">
              {reviewed !== null && shownVerdicts(reviewed, deal, sight).length > 0 && (
                <Course {...view} reviewed={reviewed} go={go} />
              )}
              {match.match !== null && <Times {...view} go={go} />}
              <Stakes {...view} go={go} />
            </div>
          </div>
          <div class="right">
            <Moves {...view} reviewed={reviewed} go={ply} />
            <Details {...view} />
            {review !== null && <Worth {...view} review={review} />}
            {result}
            <Deals {...view} review={review} go={go} show={() => this.setState({ seen: endOf(match) })} />
          </div>
        </main>
        <More
          {...view}
          reviewed={review !== null}
          page={this}
          settings={state.settings}
          set={(settings) => {
            keep(settings);
            this.setState({ settings });
          }}
        />
        {helps}
      </>
    );
  }
}

function Empty({ match, back }: Content) {
  return (
    <>
      <Header match={match} back={back} view={null} />
      <p class="empty">{say("no-deal-played")}</p>
    </>
  );
}

/** Show what is in this page. */
export async function show(): Promise<void> {
  const content = await take();
  if (TELEVISION) await new Promise((done) => setTimeout(done)); // else the page around it could not answer meanwhile
  const { match } = content;
  const league = match.league ?? "Zole";
  const title = match.match === null ? league : say("match-title", { league, match: String(match.match) });
  document.documentElement.lang = language;
  document.title = `${title}: ${match.bots.join(", ")}`;
  const root = document.getElementById("page")!;
  render(match.deals.length > 0 ? <Page {...content} /> : <Empty {...content} />, root);
}
