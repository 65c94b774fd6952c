/** Minutes of the day ↔ what a time field holds: 1320 ↔ "22:00". */
export function toClock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Null for what is not a whole time, such as a field that is being typed into. */
export function fromClock(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match ? Number(match[1]) * 60 + Number(match[2]) : null
}

/** "10 PM to 7 AM, 9 hours": the span in words; over midnight when it ends before it begins. */
export function spanWords({ from, until }: { from: number; until: number }): string {
  const length = (until - from + 1440) % 1440 || 1440
  const hours = Math.floor(length / 60)
  const minutes = length % 60
  const parts = [
    hours > 0 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : '',
    minutes > 0 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : '',
  ].filter(Boolean)
  return `${wallTime(from)} to ${wallTime(until)}, ${parts.join(' ')}`
}

function wallTime(minutes: number): string {
  const hour = Math.floor(minutes / 60)
  const rest = minutes % 60
  return `${hour % 12 || 12}${rest ? `:${String(rest).padStart(2, '0')}` : ''} ${hour < 12 ? 'AM' : 'PM'}`
}
