import { dateFormat } from '../../lib/format.ts'

const format = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** A moment as its day in UTC, as all days of records: the server writes the same day as the reader's browser. */
export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
