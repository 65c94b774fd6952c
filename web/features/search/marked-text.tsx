import { markedPieces, type Range } from './marked-pieces.ts'

/** A text with the letters marked that matched. Read aloud it is the text alone. */
export function MarkedText({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  return markedPieces(text, ranges).map(({ text: piece, isMatch, start }) =>
    isMatch ? (
      <mark key={start} className="rounded-[0.1875rem] bg-leaf-soft text-leaf box-decoration-clone">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
