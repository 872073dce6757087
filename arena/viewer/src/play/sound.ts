// The sound of a card laid on the table, made here: a short rustle that dies away.

const SECONDS = 0.09;
const LOUDNESS = 0.25;

let context: AudioContext | undefined;

export function rustle() {
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
