import { hash } from 'node:crypto'

const lineFeed = 10

/**
 * Counts and sums up the lines of PostgreSQL's COPY text format, each of which is one row. The sum of the rows' SHA-256 (eight
 * numbers of 32 bits, each added by itself) is the same in whatever order the rows come: a table has no order.
 */
export function createRowDigest() {
  const sums = new Uint32Array(8)
  let rows = 0
  let rest: Buffer[] = []

  const add = (line: Buffer) => {
    const digest = hash('sha256', line, 'buffer')
    for (let lane = 0; lane < 8; lane++) sums[lane] = (sums[lane] as number) + digest.readUInt32BE(lane * 4)
    rows++
  }

  return {
    update(chunk: Buffer): void {
      let from = 0
      for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
        const end = chunk.subarray(from, to)
        add(rest.length > 0 ? Buffer.concat([...rest, end]) : end)
        rest = []
        from = to + 1
      }
      if (from < chunk.length) rest.push(chunk.subarray(from))
    },
    /** @returns what was added until now; a line without its end does not count */
    value: () => ({ rows, digest: [...sums].map((sum) => sum.toString(16).padStart(8, '0')).join('') }),
  }
}
