import type { Trait } from '../../../contracts/traits.ts'
import type { SheetTexts } from '../../ui/sheet/use-sheet-texts.ts'
import type { NewValue } from './observation-writes.ts'
import { readValue } from './trait-values.ts'

export const rowsWithText = (texts: SheetTexts): string[] =>
  Object.entries(texts).flatMap(([id, row]) => (Object.values(row).some((text) => text.trim() !== '') ? [id] : []))

/** The rows of a sheet of plants by traits as values of a day. A row with a wrong cell stays back as a whole. */
export function readScores(
  texts: SheetTexts,
  traits: readonly Pick<Trait, 'id' | 'kind' | 'options' | 'unit'>[],
  observedOn: string,
): { values: NewValue[]; savedRows: string[]; errors: Record<string, Record<string, string>> } {
  const values: NewValue[] = []
  const savedRows: string[] = []
  const errors: Record<string, Record<string, string>> = {}
  for (const plantId of rowsWithText(texts)) {
    const wrong: Record<string, string> = {}
    const ofRow: NewValue[] = []
    for (const trait of traits) {
      const read = readValue(trait, texts[plantId]?.[trait.id] ?? '')
      if (read === null) continue
      if ('error' in read) wrong[trait.id] = read.error
      else ofRow.push({ traitId: trait.id, plantId, observedOn, value: read.value })
    }
    if (Object.keys(wrong).length > 0) errors[plantId] = wrong
    else {
      savedRows.push(plantId)
      values.push(...ofRow)
    }
  }
  return { values, savedRows, errors }
}
