import { dayMs } from '#contracts/time.ts'
import { addDays, weekdayOf } from '#server/kernel/opening-hours.ts'
import { localTime, momentOf } from '#server/kernel/time-zones.ts'

/** Days from today, or a day of the week (0 is Monday). */
type AskedDay = { inDays: number } | { weekday: number }

/** When a place should be open, as asked: the zone and so the date depend on the place. */
export type AskedTime =
  | { kind: 'now' }
  | { kind: 'day'; day: AskedDay }
  | { kind: 'minute'; day: AskedDay | null; minute: number; isEvening: boolean }
  /** "24 hours": opening times don't say so reliably. */
  | { kind: 'always' }

export type Take = (pattern: RegExp) => RegExpExecArray | null

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const shortDays = ['mon', 'tues?', 'wed', 'thur?s?', 'fri', 'sat', 'sun']
const dayPattern = new RegExp(
  `\\b(?:on |this |next )?(?:${days.map((day, i) => `(${day}|${shortDays[i]})s?`).join('|')})\\b(?: (morning|evening|night|afternoon))?`,
)
const clock = '(\\d{1,2})(?::(\\d{2}))? ?(am|pm|a\\.?m\\.?|p\\.?m\\.?|in the morning|at night|tonight)?'
const edge = "(at|past|after|until|till|til|before|by|from|around|about|as late as|later than|o'?clock)"
const timed = new RegExp(`\\b${edge} ${clock}(?: (?:o'?clock))?(?![\\d%$]|\\w| ?(?:miles?|dollars|bucks|mg|g)\\b)`)
const bareClock = /\b(\d{1,2})(?::(\d{2}))? ?(am|pm)\b/
const named = /\b(at|past|after|until|till|til|before|by)? ?(midnight|noon)\b/
const now = /\b(?:right now|at the moment|currently|now|open rn|rn)\b/
const late = /\b(?:open |opened )?late(?: (?:night|hours))?\b/
const always = /\b(?:24 ?\/ ?7|24 ?h(?:ou)?rs?|all night|around the clock)\b/

export function takeTime(take: Take): AskedTime | null {
  if (take(always)) return { kind: 'always' }
  const midday = take(named)
  const exact = midday ? null : (take(timed) ?? null)
  const bare = exact || midday ? null : take(bareClock)
  const day = takeDay(take)
  if (midday) {
    const minute = midday[2] === 'noon' ? 720 : 1440
    return { kind: 'minute', day: day.day, minute: minute + offsetOf(midday[1]), isEvening: false }
  }
  const at = exact ? { edge: exact[1], hour: exact[2], minute: exact[3], half: exact[4] } : null
  const found = at ?? (bare ? { edge: 'at', hour: bare[1], minute: bare[2], half: bare[3] } : null)
  if (found) {
    const half = found.half ?? day.part ?? ''
    const isMorning = /^a|morning/.test(half)
    const isEvening = /^p|night|evening|afternoon/.test(half)
    const hour = Number(found.hour)
    if (hour <= 24) {
      const full = isMorning
        ? hour % 12
        : isEvening && hour !== 12
          ? (hour % 12) + 12
          : isEvening && /night/.test(half)
            ? 24
            : guessed(hour, day)
      const minute = full * 60 + Number(found.minute ?? 0) + offsetOf(found.edge)
      return { kind: 'minute', day: day.day, minute, isEvening: day.isTonight }
    }
  }
  if (take(late)) return { kind: 'minute', day: day.day ?? { inDays: 0 }, minute: 22 * 60 + 30, isEvening: true }
  if (day.part === 'night' || day.part === 'evening') return { kind: 'minute', day: day.day, minute: 20 * 60, isEvening: true }
  if (day.part === 'morning') return { kind: 'minute', day: day.day, minute: 9 * 60, isEvening: false }
  if (day.day) return { kind: 'day', day: day.day }
  return take(now) ? { kind: 'now' } : null
}

/** Without am or pm: a shop's likely hour. */
const guessed = (hour: number, { isTonight, part }: { isTonight: boolean; part: string | null }): number => {
  if (hour > 12) return hour
  if (isTonight) return hour === 12 ? 24 : hour + 12
  if (part === 'morning') return hour
  return hour <= 6 ? hour + 12 : hour
}

/** "Past 11" wants a place that is open a minute later, "before 8" one that is open a minute earlier. */
const offsetOf = (word: string | undefined): number =>
  /^(?:past|after|later)/.test(word ?? '') ? 1 : /^(?:before|until|till|til|by)$/.test(word ?? '') ? -1 : 0

function takeDay(take: Take): { day: AskedDay | null; part: string | null; isTonight: boolean } {
  const tonight = take(/\b(?:tonight|this evening|later tonight)\b/)
  if (tonight) return { day: { inDays: 0 }, part: 'evening', isTonight: true }
  const tomorrow = take(/\btomorrow\b(?: (morning|evening|night|afternoon))?/)
  if (tomorrow) return { day: { inDays: 1 }, part: tomorrow[1] ?? null, isTonight: false }
  const named = take(dayPattern)
  if (named) return { day: { weekday: named.slice(1, 8).findIndex(Boolean) }, part: named[8] ?? null, isTonight: false }
  const today = take(/\btoday\b/)
  if (today) return { day: { inDays: 0 }, part: null, isTonight: false }
  const part = take(/\bin the (morning|evening|afternoon)\b/)
  return { day: null, part: part?.[1] ?? null, isTonight: false }
}

function dateOf(day: AskedDay, today: string): string {
  if ('inDays' in day) return addDays(today, day.inDays)
  return addDays(today, (day.weekday - weekdayOf(today) + 7) % 7)
}

/** A moment, or a whole day, in a place's zone. `words` say which: "at 1 AM on Saturday". */
export type ResolvedTime = { words: string } & ({ instant: Date } | { date: string })

export function resolveTime(time: Exclude<AskedTime, { kind: 'always' }>, zone: string, at: Date): ResolvedTime {
  if (time.kind === 'now') return { instant: at, words: 'now' }
  const local = localTime(zone, at)
  if (time.kind === 'day') {
    const date = dateOf(time.day, local.date)
    return { date, words: date === local.date ? 'today' : `on ${dayName(date)}` }
  }
  const isAfterMidnight = time.isEvening && time.minute < 6 * 60
  const date = time.day
    ? addDays(dateOf(time.day, local.date), isAfterMidnight ? 1 : 0)
    : addDays(local.date, time.minute > local.minute ? 0 : 1)
  const instant = new Date(momentOf(zone, date, time.minute))
  const shown = localTime(zone, instant)
  const isSoon = shown.date === local.date
  return { instant, words: `at ${clockTime(zone, instant)}${isSoon ? '' : ` on ${dayName(shown.date)}`}` }
}

const dayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
export const dayName = (date: string): string => dayFormat.format(new Date(Date.parse(`${date}T00:00:00Z`) + dayMs / 2))

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
/** `2027-01-31` → "January 31, 2027". */
export const dateWords = (date: string): string => dateFormat.format(new Date(`${date}T00:00:00Z`))

/** "8 PM", "11:45 PM", by the clock of the zone. */
export function clockTime(zone: string, at: Date): string {
  return minuteWords(localTime(zone, at).minute)
}

export function minuteWords(minuteOfDay: number): string {
  const minute = minuteOfDay % 1440
  if (minute === 0) return 'midnight'
  if (minute === 720) return 'noon'
  const hour = Math.floor(minute / 60)
  const rest = minute % 60
  return `${hour % 12 || 12}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`} ${hour < 12 ? 'AM' : 'PM'}`
}
