import { type ReactNode, useEffect, useState } from 'react'
import type { Trait } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { nameWithUnit, type OpenedTrait, openedTrait, removedHint } from '#web/entities/traits/trait-words.ts'
import { readSheetDraft, saveSheetDraft, useSheetDay } from '#web/forms/form-draft.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { DayInput } from '#web/ui/input.tsx'
import { Sheet, type SheetColumn, type SheetTexts, toastRowErrors, useSheetTexts } from '#web/ui/sheet/sheet.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { readScores, rowsWithText } from './entry-rows.ts'
import { type NewValue, type ValueWords, writeValues } from './observation-writes.ts'

const columnOf = ({ trait: { id, name, unit, kind, options }, removed }: OpenedTrait): SheetColumn => ({
  key: id,
  label: removed ? `${nameWithUnit({ name, unit })}, ${removed}` : nameWithUnit({ name, unit }),
  kind: kind === 'number' || kind === 'ordinal' ? 'decimal' : 'text',
  width: kind === 'checks' ? 200 : kind === 'number' || kind === 'ordinal' ? 118 : 140,
  ...(kind === 'category' || kind === 'checks' ? { choices: options.map(({ label }) => label) } : {}),
})

type ScoreTableProps = {
  huntId: string
  /** Includes archived traits, which have a column only while something is typed for them. */
  traits: readonly Trait[]
  plants: readonly LogPlant[]
  /** Shown if there are no traits to score. */
  empty: ReactNode
}

export function ScoreTable({ huntId, traits, plants, empty }: ScoreTableProps) {
  const draft = `scores-${huntId}`
  const [first] = useState(() => ({
    ...readSheetDraft(
      draft,
      {},
      { day: localDay() },
      plants.map(({ id }) => id),
    ),
    traits,
    livingIds: new Set(plants.filter(({ isAlive }) => isAlive).map(({ id }) => id)),
  }))
  const [errors, setErrors] = useState<Record<string, Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const sheet = useSheetTexts(first.texts)
  const shown = shownTraits(traits, first.traits, sheet.texts)
  const removed = shown.filter((each) => each.removed !== null)
  const savable = shown.flatMap(({ trait, removed: how }) => (how === 'deleted' ? [] : [trait]))
  const texts = textsOf(sheet.texts, savable)
  const typedRows = new Set(rowsWithText(sheet.texts))
  const filled = rowsWithText(texts).length
  // Plants that are harvested in the meantime keep their row.
  const rows = plants.filter(({ id, isAlive }) => isAlive || first.livingIds.has(id) || typedRows.has(id))
  const { day, today, setDay, keep } = useSheetDay(first.about.day, filled === 0)
  useEffect(() => saveSheetDraft(draft, sheet.texts, {}, { day }), [draft, sheet.texts, day])
  if (shown.length === 0) return empty

  function wordsOf({ plantId, traitId }: NewValue): ValueWords {
    const trait = savable.find(({ id }) => id === traitId)
    const plant = plants.find(({ id }) => id === plantId)?.name ?? ''
    return { plant, entered: `${trait ? nameWithUnit(trait) : ''} ${texts[plantId]?.[traitId]?.trim() ?? ''}`.trim() }
  }

  async function save() {
    const read = readScores(texts, savable, day)
    setErrors(read.errors)
    const wrong = Object.keys(read.errors).length
    setSaving(true)
    try {
      if (read.values.length > 0) {
        const count = read.savedRows.length
        const values = read.values.map((value) => ({ ...value, sameDay: 'correct' as const }))
        const title = count === 1 ? `Scores for 1 plant, ${day}` : `Scores for ${count} plants, ${day}`
        await writeValues(huntId, title, values, wordsOf)
        sheet.write(read.savedRows.flatMap((id) => savable.map(({ id: key }) => ({ id, key, text: '' }))))
      }
    } catch (error) {
      return toastUnsaved('The scores couldn’t be saved', error)
    } finally {
      setSaving(false)
    }
    const saved = read.values.length === 1 ? 'Saved 1 value' : `Saved ${read.values.length} values`
    if (wrong === 0) toast({ title: saved })
    else {
      toastRowErrors(wrong, read.values.length === 0 ? 'Nothing was saved.' : `${saved} from the other rows.`)
    }
  }

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="max-w-text text-muted text-sm">
          One day, all plants. Paste from a spreadsheet, or type and fill down with Ctrl+D. Each cell adds a new score or corrects yours
          from the same day. Scores from other days don’t change.
        </p>
        <Field label="Day" className="w-44">
          <DayInput value={day} max={today} onDayChange={setDay} className="min-h-12" />
        </Field>
      </div>
      <Sheet
        label={`Scores from ${day}`}
        rowLabel="Plant"
        rows={rows.map(({ id, name }) => ({ id, name }))}
        columns={shown.map(columnOf)}
        texts={sheet.texts}
        errors={errors}
        onWrite={(writes) => {
          sheet.write(writes)
          keep()
          setErrors((before) => withoutWritten(before, writes))
        }}
        onUndo={sheet.undo}
        onRedo={sheet.redo}
      />
      <div role="status" className="text-sm empty:hidden">
        {removed.map((each) => (
          <p key={each.trait.id}>{removedHint(each)}</p>
        ))}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm" role="status">
          {filled === 0
            ? 'Empty cells aren’t saved.'
            : `${filled} of ${rows.length} plants filled in. Press Escape, then Tab to leave the table.`}
        </p>
        <Button size="lg" disabled={filled === 0} pending={isSaving} pendingText="Saving..." onClick={() => void save()}>
          {filled === 0 ? 'Save' : filled === 1 ? 'Save 1 plant' : `Save ${filled} plants`}
        </Button>
      </div>
      {Object.keys(errors).length > 0 && (
        <ul className="list-disc pl-5 text-clay text-sm">
          {Object.entries(errors).flatMap(([plantId, cells]) =>
            Object.entries(cells).map(([traitId, message]) => (
              <li key={`${plantId} ${traitId}`}>
                {rows.find(({ id }) => id === plantId)?.name}, {traits.find(({ id }) => id === traitId)?.name}: {message}
              </li>
            )),
          )}
        </ul>
      )}
    </div>
  )
}

/** All traits to score, and traits archived or deleted since the table was opened, or for which something is still typed. */
function shownTraits(traits: readonly Trait[], first: readonly Trait[], texts: SheetTexts): OpenedTrait[] {
  const gone = first.filter(({ id }) => traits.every((trait) => trait.id !== id))
  const isTyped = ({ id }: Trait) => Object.values(texts).some((row) => (row[id] ?? '').trim() !== '')
  const wasOpen = ({ id }: Trait) => first.some((trait) => trait.id === id && !trait.isArchived)
  return [...traits, ...gone]
    .filter((trait) => trait.kind !== 'photo' && (!trait.isArchived || wasOpen(trait) || isTyped(trait)))
    .map((trait) => openedTrait(trait, traits))
}

const textsOf = (texts: SheetTexts, traits: readonly Trait[]): SheetTexts =>
  Object.fromEntries(Object.entries(texts).map(([id, row]) => [id, Object.fromEntries(traits.map(({ id: key }) => [key, row[key] ?? '']))]))

/** An edited cell doesn't show its error until it is validated again. */
export function withoutWritten(
  errors: Record<string, Record<string, string>>,
  writes: readonly { id: string; key: string }[],
): Record<string, Record<string, string>> {
  const next: Record<string, Record<string, string>> = {}
  for (const [id, cells] of Object.entries(errors)) {
    const left = Object.entries(cells).filter(([key]) => !writes.some((write) => write.id === id && write.key === key))
    if (left.length > 0) next[id] = Object.fromEntries(left)
  }
  return next
}
