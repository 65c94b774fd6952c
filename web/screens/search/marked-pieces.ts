/** UTF-16 range; the end is exclusive. */
export type Range = readonly [number, number]
export type Piece = { text: string; isMatch: boolean; start: number }

/** Splits text at its matches. Tolerates overlapping, adjacent and out-of-bounds ranges. */
export function markedPieces(text: string, ranges: readonly Range[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const add = (end: number, isMatch: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end), isMatch, start: at })
    at = Math.max(at, end)
  }
  for (const [start, end] of merged(text, ranges)) {
    add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return pieces
}

function merged(text: string, ranges: readonly Range[]): Range[] {
  const within = ranges
    .map(([start, end]): Range => [Math.max(0, start), Math.min(text.length, end)])
    .filter(([start, end]) => start < end)
    .sort(([one], [other]) => one - other)
  const result: Range[] = []
  for (const [start, end] of within) {
    const before = result.at(-1)
    if (before && start <= before[1]) result[result.length - 1] = [before[0], Math.max(before[1], end)]
    else result.push([start, end])
  }
  return result
}

/** Ranges where each typed word starts a word of the label. Empty if any doesn't. */
export function wordMatches(label: string, typed: string): Range[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const inside = label.toLowerCase()
  const starts = [...inside.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)
  const ranges = words.map((word): Range | null => {
    const start = starts.find((each) => inside.startsWith(word, each))
    return start === undefined ? null : [start, start + word.length]
  })
  return ranges.every((range) => range !== null) ? ranges : []
}
