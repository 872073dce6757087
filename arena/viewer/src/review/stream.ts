// The endless stream of random numbers that belongs to a key, as `protocol/deals.md` specifies it.

/** 32-bit numbers: SHA-256 of the key's digest and a counter of eight bytes. */
export function* words(key: string): Generator<number, never> {
  const block = new Uint8Array(40);
  writeWords(block, sha256(new TextEncoder().encode(key)));
  const view = new DataView(block.buffer);
  for (let counter = 0; ; counter++) {
    view.setUint32(36, counter);
    yield* sha256(block);
  }
}

/** A uniform number from 0 to `bound` - 1, of two words; pairs that would favour small numbers are dropped. */
export function below(bound: number, stream: Generator<number, never>): number {
  const size = BigInt(bound);
  const limit = ((1n << 64n) / size) * size;
  for (;;) {
    const number = (BigInt(stream.next().value) << 32n) | BigInt(stream.next().value);
    if (number < limit) return Number(number % size);
  }
}

/** FIPS 180-4. A page opened from disk may have no `crypto.subtle`, which would also have to be waited for. */
function sha256(message: Uint8Array): Uint32Array {
  const padded = new Uint8Array((message.length + 72) & ~63);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, 8 * message.length);
  const digest = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15]!, w[i - 2]!];
      const s0 = right(x, 7) ^ right(x, 18) ^ (x >>> 3);
      const s1 = right(y, 17) ^ right(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    let [a, b, c, d, e, f, g, h] = digest as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const one = (h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + choice + ROUNDS[i]! + w[i]!) | 0;
      const other = ((right(a, 2) ^ right(a, 13) ^ right(a, 22)) + majority) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (digest[i]! += word));
  }
  return digest;
}

function right(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function writeWords(bytes: Uint8Array, numbers: Uint32Array): void {
  const view = new DataView(bytes.buffer);
  numbers.forEach((number, place) => view.setUint32(4 * place, number));
}

const PRIMES = [...Array(312).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0));
/** The first 32 bits of the fractions of square and cube roots of the first primes. */
const START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n));
const ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(prime, 3n));

function fraction(prime: number, power: bigint): number {
  const scaled = BigInt(prime) << (32n * power);
  let root = 0n;
  for (let bit = 1n << 36n; bit; bit >>= 1n) if ((root | bit) ** power <= scaled) root |= bit;
  return Number(root & 0xffffffffn);
}
