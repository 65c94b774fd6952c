import type { LabResult, NewLabResult } from '../../../contracts/lab-results.ts'
import type { Trait } from '../../../contracts/traits.ts'
import type { SheetTexts } from '../../ui/sheet/use-sheet-texts.ts'
import { rowsWithText } from './score-rows.ts'
import { figure } from './trait-values.ts'

/** The analytes to ask for: those of the traits, then those that labs have told of already. */
export function analytesOf(
  traits: readonly Pick<Trait, 'analyte' | 'isArchived'>[],
  results: readonly Pick<LabResult, 'analyte'>[],
): string[] {
  const all = [
    ...traits.flatMap(({ analyte, isArchived }) => (isArchived ? [] : (analyte ?? []))),
    ...results.map(({ analyte }) => analyte),
  ]
  return all.filter((analyte, at) => all.findIndex((other) => other.toLowerCase() === analyte.toLowerCase()) === at)
}

export type LabFigure = { value: number | null; quantificationLimit: number | null }

/** "21.4", or "<0.05" and "< LOQ 0.05" for what lies below the limit of quantification. */
export function readFigure(typed: string): LabFigure | { error: string } | null {
  const text = typed.trim()
  if (text === '') return null
  const below = /^<\s*(?:LOQ)?\s*(.*?)\s*%?$/i.exec(text)
  const number = figure((below?.[1] ?? text.replace(/\s*%$/, '')) as string)
  if (number === null || number < 0) {
    return { error: below ? 'Write the limit behind it, like <0.05' : 'A number, or <0.05 where it is below the limit' }
  }
  return below ? { value: null, quantificationLimit: number } : { value: number, quantificationLimit: null }
}

export type LabSheet = Pick<NewLabResult, 'lab' | 'testedOn' | 'samplePosition' | 'unit'>

/** The rows of a sheet of plants by analytes, as results of one lab and day. A row with a wrong cell stays back. */
export function readLabResults(
  texts: SheetTexts,
  analytes: readonly string[],
  sheet: LabSheet,
): { results: Omit<NewLabResult, 'id'>[]; savedRows: string[]; errors: Record<string, Record<string, string>> } {
  const results: Omit<NewLabResult, 'id'>[] = []
  const savedRows: string[] = []
  const errors: Record<string, Record<string, string>> = {}
  for (const plantId of rowsWithText(texts)) {
    const wrong: Record<string, string> = {}
    const ofRow: Omit<NewLabResult, 'id'>[] = []
    for (const analyte of analytes) {
      const read = readFigure(texts[plantId]?.[analyte] ?? '')
      if (read === null) continue
      if ('error' in read) wrong[analyte] = read.error
      else ofRow.push({ ...sheet, plantId, analyte, ...read })
    }
    if (Object.keys(wrong).length > 0) errors[plantId] = wrong
    else {
      savedRows.push(plantId)
      results.push(...ofRow)
    }
  }
  return { results, savedRows, errors }
}

/** "21.4%", "below 0.05%" */
export const figureWords = ({ value, quantificationLimit, unit }: Pick<LabResult, 'value' | 'quantificationLimit' | 'unit'>): string => {
  const of = unit === '' || unit === '%' ? unit : ` ${unit}`
  return value === null ? `below ${quantificationLimit}${of}` : `${value}${of}`
}
