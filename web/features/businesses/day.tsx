import { dateFormat } from '../../lib/format.ts'

const format = dateFormat({ dateStyle: 'long' })

/** A moment as the day it was for the reader. */
export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
