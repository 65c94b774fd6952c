const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** A moment as the day it was for the reader. */
export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
