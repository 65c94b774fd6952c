import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { percentOf } from '#agronomy/analytes.ts'
import { deleteLabResult, recordLabResults } from '#contracts/calls/traits.ts'
import { maxLabResultsAtOnce } from '#contracts/limits.ts'
import type { LabResult } from '#contracts/traits.endpoints.ts'
import type { Trait } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { dayText } from '#web/entities/growing-plots/plot-table.ts'
import { enqueue, toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { labResultsOptions, refreshLabResults } from '#web/entities/traits/traits.api.ts'
import { readSheetDraft, saveSheetDraft } from '#web/forms/form-draft.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Sheet, toastRowErrors, useSheetTexts } from '#web/ui/sheet/sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CertificateImport } from './certificate-import.tsx'
import { analytesOf, figureWords, readLabResults, unusualResults } from './entry-rows.ts'
import { shownValues } from './observation-writes.ts'
import { withoutWritten } from './score-table.tsx'

type LabTableProps = { huntId: string; plants: readonly LogPlant[]; traits: readonly Trait[] }

export function LabTable({ huntId, plants, traits }: LabTableProps) {
  const results = useQuery(labResultsOptions(huntId))
  return (
    <Loaded
      query={results}
      loadingLabel="Loading the lab results..."
      skeleton={<Skeleton className="h-72 w-full" />}
      failure="The lab results couldn’t be loaded"
    >
      {(data) => (
        <div className="grid gap-6">
          <CertificateImport huntId={huntId} plants={plants} traits={traits} recorded={data} />
          <Figures huntId={huntId} plants={plants} traits={traits} results={data} />
          <Reported plants={plants} traits={traits} results={data} />
        </div>
      )}
    </Loaded>
  )
}

function Figures({ huntId, plants, traits, results }: LabTableProps & { results: readonly LabResult[] }) {
  const draft = `lab-results-${huntId}`
  const [first] = useState(() =>
    readSheetDraft(
      draft,
      {},
      { lab: results.at(-1)?.lab ?? '', testedOn: localDay(), samplePosition: '', unit: '%' },
      plants.map(({ id }) => id),
    ),
  )
  const [about, setAbout] = useState(first.about)
  // Columns that were added by hand are known only from their drafted cells.
  const [more, setMore] = useState<readonly string[]>(() => Object.values(first.texts).flatMap(Object.keys))
  const [typed, setTyped] = useState('')
  const [errors, setErrors] = useState<Record<string, Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const sheet = useSheetTexts(first.texts)
  useEffect(() => saveSheetDraft(draft, sheet.texts, {}, about), [draft, sheet.texts, about])
  const analytes = analytesOf(traits, [...results, ...more.map((analyte) => ({ analyte }))])
  const nameOf = (plantId: string) => plants.find(({ id }) => id === plantId)?.name ?? ''
  const { results: entered } = readLabResults(sheet.texts, analytes, about)
  const filled = entered.length
  const unusual = unusualResults(entered)
  const set = (key: keyof typeof about) => (event: { target: { value: string } }) => setAbout({ ...about, [key]: event.target.value })

  function addAnalyte(event: FormEvent) {
    event.preventDefault()
    const analyte = typed.trim().slice(0, 60)
    if (analyte !== '') setMore([...more, analyte])
    setTyped('')
  }

  async function save() {
    const read = readLabResults(sheet.texts, analytes, { ...about, testedOn: about.testedOn || localDay() })
    setErrors(read.errors)
    const wrong = Object.keys(read.errors).length
    setSaving(true)
    try {
      for (let at = 0; at < read.results.length; at += maxLabResultsAtOnce) {
        const some = read.results.slice(at, at + maxLabResultsAtOnce).map((result) => ({ ...result, id: uuidv7() }))
        await enqueue(
          recordLabResults,
          { params: { id: huntId }, body: { results: some, sameSample: 'replace' } },
          {
            lane: huntId,
            subjects: [...new Set(some.map(({ plantId }) => plantId))],
            title: counted(some.length, 'lab result'),
            items: {
              field: 'results',
              names: some.map(({ plantId }) => nameOf(plantId)),
              noun: 'Lab result',
              entered: some.map((result) => `${result.analyte} ${figureWords(result)}`),
            },
            refreshes: shownValues,
          },
        )
      }
      sheet.write(read.savedRows.flatMap((id) => Object.keys(sheet.texts[id] ?? {}).map((key) => ({ id, key, text: '' }))))
    } catch (error) {
      return toastUnsaved('The lab results couldn’t be saved', error)
    } finally {
      setSaving(false)
    }
    const saved = `Saved ${counted(read.results.length, 'lab result')}`
    if (wrong === 0) toast({ title: saved })
    else {
      toastRowErrors(wrong, read.results.length === 0 ? 'Nothing was saved.' : `${saved}.`)
    }
  }

  return (
    <div className="grid gap-4">
      <p className="max-w-text text-muted text-sm">
        Or enter the values from the report. If a result is below the limit of quantification, enter &lt; and the limit, such as &lt;0.05.
        It counts as half the limit. A result replaces an earlier one for the same plant, lab, day, sample and analyte.
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-3">
        <Field label="Lab" optional>
          <Input value={about.lab} maxLength={120} onChange={set('lab')} className="min-h-12" />
        </Field>
        <Field label="Tested on">
          <Input type="date" value={about.testedOn} max={localDay()} onChange={set('testedOn')} className="min-h-12" />
        </Field>
        <Field label="Sample from" optional>
          <Input
            value={about.samplePosition}
            maxLength={60}
            placeholder="Such as top or bottom"
            onChange={set('samplePosition')}
            className="min-h-12"
          />
        </Field>
        <Field label="Unit" hint={percentOf(about.unit) === null ? 'Counts only toward traits in this unit.' : undefined}>
          <Input value={about.unit} maxLength={20} onChange={set('unit')} className="min-h-12" />
        </Field>
      </div>
      <form onSubmit={addAnalyte} className="flex items-end gap-2 sm:max-w-sm">
        <Field label="Another analyte" className="flex-1">
          <Input value={typed} maxLength={60} onChange={(event) => setTyped(event.target.value)} className="min-h-12" />
        </Field>
        <Button type="submit" variant="secondary" size="lg">
          Add column
        </Button>
      </form>
      {analytes.length > 0 && (
        <Sheet
          label="Lab results"
          rowLabel="Plant"
          rows={plants.map(({ id, name }) => ({ id, name }))}
          columns={analytes.map((analyte) => ({ key: analyte, label: analyte, kind: 'text', width: 132 }))}
          texts={sheet.texts}
          errors={errors}
          onWrite={(writes) => {
            sheet.write(writes)
            setErrors((all) => withoutWritten(all, writes))
          }}
          onUndo={sheet.undo}
          onRedo={sheet.redo}
        />
      )}
      {unusual.length > 0 && (
        <p className="text-sm">
          Flower rarely has more than 40% of a cannabinoid. Check these:{' '}
          {unusual
            .slice(0, 8)
            .map((result) => `${nameOf(result.plantId)} ${result.analyte} ${figureWords(result)}`)
            .join(', ')}
          {unusual.length > 8 ? ` and ${unusual.length - 8} more` : ''}.
        </p>
      )}
      {Object.keys(errors).length > 0 && (
        <ul className="list-disc pl-5 text-clay text-sm">
          {Object.entries(errors).flatMap(([plantId, cells]) =>
            Object.entries(cells).map(([analyte, message]) => (
              <li key={`${plantId} ${analyte}`}>
                {nameOf(plantId)}, {analyte}: {message}
              </li>
            )),
          )}
        </ul>
      )}
      <Button
        size="lg"
        disabled={filled === 0 && Object.keys(errors).length === 0}
        pending={isSaving}
        pendingText="Saving..."
        onClick={() => void save()}
        className="justify-self-end"
      >
        {filled === 0 ? 'Save' : `Save ${counted(filled, 'result')}`}
      </Button>
    </div>
  )
}

function Reported({ plants, traits, results }: Omit<LabTableProps, 'huntId'> & { results: readonly LabResult[] }) {
  const client = useQueryClient()
  const [leaving, setLeaving] = useState<LabResult | null>(null)
  const remove = useMutation({
    mutationFn: (result: LabResult) => call(deleteLabResult, { params: { id: result.id } }),
    onSuccess: () => {
      setLeaving(null)
      return refreshLabResults(client)
    },
    onError: (error) => toast({ title: 'The result couldn’t be removed', description: messageOf(error), variant: 'destructive' }),
  })
  if (results.length === 0) return null
  const nameOf = (plantId: string) => plants.find(({ id }) => id === plantId)?.name ?? ''
  const scored = new Set(traits.flatMap(({ analyte, isArchived }) => (analyte === null || isArchived ? [] : analyte.toLowerCase())))
  return (
    <details className="rounded-card border border-line">
      <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium text-sm">
        {counted(results.length, 'result')} so far
      </summary>
      <ul className="grid max-h-96 divide-y divide-line overflow-y-auto border-line border-t">
        {results.toReversed().map((result) => (
          <li key={result.id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-2 text-sm">
            <span>
              <b className="font-semibold tabular-nums">{nameOf(result.plantId)}</b> {result.analyte}: {figureWords(result)}
              <span className="block text-muted">
                {[result.lab, dayText(result.testedOn), result.samplePosition].filter((part) => part !== '').join(', ')}
              </span>
              {!scored.has(result.analyte.toLowerCase()) && (
                <span className="block">No trait uses “{result.analyte}”, so it doesn’t count in the ranking.</span>
              )}
            </span>
            <Button
              variant="quiet"
              aria-label={`Remove ${result.analyte} for ${nameOf(result.plantId)}`}
              onClick={() => setLeaving(result)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={leaving !== null}
        onOpenChange={(isOpen) => !isOpen && setLeaving(null)}
        title={leaving ? `Remove ${leaving.analyte} for ${nameOf(leaving.plantId)}?` : ''}
        confirmText="Remove result"
        pending={remove.isPending}
        pendingText="Removing..."
        onConfirm={() => leaving && remove.mutate(leaving)}
      >
        It will no longer count and can’t be restored.
      </ConfirmDialog>
    </details>
  )
}
