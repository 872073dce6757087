// What a card laid on the table sounds and feels like: a short rustle that dies away, and a tap of the device.

import { STILL } from "../settings";

const SECONDS = 0.07;
const LOUDNESS = 0.12;
const TAP_MS = 12;

let context: AudioContext | undefined;

/** Sound a card, once the reader has touched the page: browsers allow no sound before. */
export function rustle() {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const { sampleRate, destination } = context;
  const buffer = context.createBuffer(1, sampleRate * SECONDS, sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++)
    samples[at] = LOUDNESS * (2 * Math.random() - 1) * (1 - at / samples.length) ** 4;
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(destination);
  source.start();
}

/** Let the reader feel an own card on devices that can. */
export function tap() {
  if (!STILL) navigator.vibrate?.(TAP_MS);
}
