// The time that is left for an answer: its last minute, ticking to the eye and spoken twice.

import { Component } from "preact";
import { say } from "../language";

/** So many seconds before its end the clock is spoken. */
const SPOKEN_S = [30, 10];
const SHOWN_S = 60;

export class Clock extends Component<{ deadline: number }, { spoken: string }> {
  override state = { spoken: "" };
  private timer: ReturnType<typeof setInterval> | undefined;

  override componentDidMount() {
    this.timer = setInterval(() => this.tick(), 1000);
  }

  override componentWillUnmount() {
    clearInterval(this.timer);
  }

  override render({ deadline }: { deadline: number }) {
    const left = secondsTo(deadline);
    if (left > SHOWN_S) return null;
    const shown = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    return (
      <>
        <span class={`clock${left <= 30 ? " short" : ""}`} role="timer" aria-label={say("your-time")}>
          {shown} <small>{say("your-time")}</small>
        </span>
        <span class="hidden" role="status">
          {this.state.spoken}
        </span>
      </>
    );
  }

  private tick() {
    const left = secondsTo(this.props.deadline);
    this.setState({ spoken: SPOKEN_S.includes(left) ? say("seconds-left", { count: left }) : this.state.spoken });
  }
}

function secondsTo(deadline: number): number {
  return Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
}
