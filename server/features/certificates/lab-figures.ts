/**
 * What a certificate's cell states: a number, a result below a limit (null: the limit is in its own column), a result that
 * wasn't detected, a test that wasn't run, or something unreadable.
 */
export type LabFigure =
  | { kind: 'number'; value: number }
  | { kind: 'below'; limit: number | null; isDetection: boolean }
  | { kind: 'undetected' }
  | { kind: 'untested' }
  | { kind: 'unreadable' }

const undetected = /^(?:n\.?\s?d\.?|(?:not|none)[\s-]*detected)$/i
const untested = /^(?:|[-–—]+|n\/?a|n\/?t|not (?:tested|analyzed|applicable)|tnp|pending)$/i
const below = /^(?:<|≤|below|less than)\s*(.*)$/i
const limitWords =
  /^(?:the\s+)?(?:(loq|rl|mrl|pql|lloq|limit of quantitation|limit of quantification)|(lod|mdl|limit of detection))\b\s*(.*)$/i
const belowWords = /^(?:b(?:lq|ql|loq|rl)|(?:bld|bdl|blod|bmdl))$/i

/** Ignores a unit or an uncertainty after the figure. */
export function readFigure(text: string): LabFigure {
  const typed = text
    .trim()
    .replace(/[*†‡§]+$/, '')
    .trim()
  if (untested.test(typed)) return { kind: 'untested' }
  if (undetected.test(typed)) return { kind: 'undetected' }
  if (belowWords.test(typed)) return { kind: 'below', limit: null, isDetection: /d/i.test(typed) }
  const under = below.exec(typed)
  if (under) {
    const [, quantified, detected, after = ''] = limitWords.exec(under[1] ?? '') ?? [undefined, undefined, undefined, under[1]]
    const isDetection = detected !== undefined
    const rest = after.replaceAll(/[()=:]/g, '').trim()
    if (rest === '') return quantified || detected ? { kind: 'below', limit: null, isDetection } : { kind: 'unreadable' }
    const limit = numberIn(rest)
    return limit === null ? { kind: 'unreadable' } : { kind: 'below', limit, isDetection }
  }
  const value = numberIn(typed)
  return value === null ? { kind: 'unreadable' } : { kind: 'number', value }
}

/** A number at the start of a string, with an optional unit or uncertainty after it: "24.1%", "1,234.5 mg/g", "3.2E-5", "24.1 ± 1.2". */
const numberPattern = /^([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:[.,]\d+|\.)?(?:e[+-]?\d+)?)\s*(%|[a-zµμ%][a-zµμ0-9/%.\s()]*)?(?:±.*)?$/i

function numberIn(text: string): number | null {
  const digits = numberPattern.exec(text.trim())?.[1] ?? ''
  if (!/\d/.test(digits)) return null
  // Groups of three digits are thousands, as US labs write them; any other comma is a decimal mark.
  const isGrouped = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?!\d)/.test(digits)
  const number = Number(isGrouped ? digits.replaceAll(',', '') : digits.replace(',', '.'))
  return Number.isFinite(number) ? number : null
}

const unitPattern =
  /%\s?\(?w\/w\)?|w\/w\s?%|wt\s?%|%|(?:mg|[uµμ]g|mcg|ng)\s?\/\s?(?:g|kg|ml|l|unit|serving|package|pkg|container|each|dose)\b|\bpp[mb]\b|\bcfu\s?\/\s?g\b/i

/** The unit in a header or cell, such as "Result (mg/g)" or "24.1%". */
export const unitIn = (text: string): string | null => unitPattern.exec(text)?.[0].toLowerCase() ?? null
export const withoutUnit = (text: string): string =>
  text
    .replace(unitPattern, ' ')
    .replaceAll(/\(\s*\)|\[\s*\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The first date in a string as ISO 8601. Reads the month first, as in the US, unless it can't be a month. */
export function dateIn(text: string): string | null {
  const iso = /\b(20\d\d)-(\d\d)-(\d\d)(?!\d)/.exec(text)
  if (iso) return isoDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numbers = /\b(\d{1,2})[/.-](\d{1,2})[/.-](20\d\d|\d\d)\b/.exec(text)
  if (numbers) {
    const [first, second, year] = numbers.slice(1).map(Number) as [number, number, number]
    const [month, day] = first > 12 ? [second, first] : [first, second]
    return isoDay(year < 100 ? 2000 + year : year, month, day)
  }
  const named =
    /\b([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(20\d\d)\b|\b(\d{1,2})[\s-]([a-z]{3})[a-z]*\.?[\s,-]+(20\d\d)\b/i.exec(text)
  if (!named) return null
  const month = months.indexOf((named[1] ?? named[5] ?? '').toLowerCase()) + 1
  return isoDay(Number(named[3] ?? named[6]), month, Number(named[2] ?? named[4]))
}

function isoDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null
}
