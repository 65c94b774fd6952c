import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { isSameAnalyte } from '#agronomy/analytes.ts'
import { extractCertificate } from '#contracts/calls/certificates.ts'
import { deleteLabResults, recordLabResults } from '#contracts/calls/traits.ts'
import type { Certificate, CertificateResult, CertificateSample } from '#contracts/certificates.endpoints.ts'
import { maxCertificateBytes, maxLabResultsAtOnce } from '#contracts/limits.ts'
import type { LabResult, NewLabResult } from '#contracts/traits.endpoints.ts'
import type { Trait } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { refreshLabResults } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callBytes } from '#web/lib/call.ts'
import { counted, formatList } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { figureWords } from './entry-rows.ts'
import { findPlant } from './score-import.tsx'

type CertificateImportProps = {
  huntId: string
  plants: readonly LogPlant[]
  traits: readonly Trait[]
  recorded: readonly LabResult[]
}

/** Without this, choosing the same file again, after an error or Undo, would do nothing. */
const forgetChoice = ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
  currentTarget.value = ''
}

type Read = { fileName: string; certificate: Certificate }
type Saved = { fileName: string; ids: string[]; plants: number }

/** Nothing is saved before confirmation. */
export function CertificateImport({ huntId, plants, traits, recorded }: CertificateImportProps) {
  const client = useQueryClient()
  const [shown, setShown] = useState<Read | null>(null)
  const [saved, setSaved] = useState<Saved | null>(null)
  const read = useMutation({
    mutationFn: async (file: File): Promise<Read> => {
      if (file.size > maxCertificateBytes) throw new Error('This file is too large. A certificate can be up to 10 MB.')
      return { fileName: file.name, certificate: await callBytes(extractCertificate, { params: { id: huntId } }, file) }
    },
    onMutate: () => setSaved(null),
    onSuccess: setShown,
    onError: () => setShown(null),
  })
  const undo = useMutation({
    mutationFn: async ({ ids }: Saved) => {
      for (let at = 0; at < ids.length; at += maxLabResultsAtOnce) {
        await call(deleteLabResults, { params: { id: huntId }, body: { ids: ids.slice(at, at + maxLabResultsAtOnce) } })
      }
    },
    onSuccess: () => setSaved(null),
    onError: (error) => toast({ title: 'The results couldn’t be removed', description: messageOf(error), variant: 'destructive' }),
    onSettled: () => refreshLabResults(client),
  })
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Lab certificate" hint="The PDF or CSV file from the lab." className="w-full sm:w-96">
          <Input
            type="file"
            accept=".pdf,.csv,.tsv,.txt,application/pdf,text/csv"
            // While reading, the input isn't `disabled`, which would make it lose focus.
            aria-disabled={read.isPending}
            onClick={(event) => (read.isPending ? event.preventDefault() : forgetChoice(event))}
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file && !read.isPending) read.mutate(file)
            }}
            className="min-h-12"
          />
        </Field>
      </div>
      <div role="status" className="grid gap-2 empty:hidden">
        {read.isPending && <p className="text-muted text-sm">Reading the certificate...</p>}
        {saved && (
          <p className="flex flex-wrap items-center gap-3">
            Saved {counted(saved.ids.length, 'result')} for {counted(saved.plants, 'plant')} from {saved.fileName}.
            <Button variant="secondary" pending={undo.isPending} pendingText="Undoing..." onClick={() => undo.mutate(saved)}>
              Undo
            </Button>
          </p>
        )}
      </div>
      <FormError>{read.error ? messageOf(read.error) : null}</FormError>
      {shown && !read.isPending && (
        <Preview
          key={shown.fileName}
          {...{ huntId, plants, traits, recorded, ...shown }}
          onSaved={(results) => {
            setShown(null)
            setSaved({ fileName: shown.fileName, ...results })
          }}
        />
      )}
    </div>
  )
}

type PreviewProps = CertificateImportProps & Read & { onSaved: (saved: Omit<Saved, 'fileName'>) => void }

function Preview({ huntId, plants, traits, recorded, fileName, certificate, onSaved }: PreviewProps) {
  const client = useQueryClient()
  const [about, setAbout] = useState({ lab: certificate.lab, samplePosition: '' })
  const [choices, setChoices] = useState(() => firstChoices(certificate, plants))
  // Stable across attempts, so retrying doesn't create duplicates.
  const [ids] = useState(() => new Map<string, string>())
  const idOf = (result: Omit<NewLabResult, 'id'>): string => {
    const key = JSON.stringify(result)
    const id = ids.get(key) ?? uuidv7()
    ids.set(key, id)
    return id
  }
  const results = resultsToSave(certificate, choices, about, traits, recorded)
  const save = useMutation({
    mutationFn: async () => {
      const all = results.map((result) => ({ ...result, id: idOf(result) }))
      for (let at = 0; at < all.length; at += maxLabResultsAtOnce) {
        await call(recordLabResults, { params: { id: huntId }, body: { results: all.slice(at, at + maxLabResultsAtOnce) } })
      }
      return all
    },
    onSuccess: (all) => onSaved({ ids: all.map(({ id }) => id), plants: new Set(all.map(({ plantId }) => plantId)).size }),
    onSettled: () => refreshLabResults(client),
  })
  const { samples, otherRows } = certificate
  const found = samples.reduce((sum, sample) => sum + sample.results.length, 0)
  const isUndated = choices.some(({ plantId, testedOn }) => plantId !== '' && testedOn === '')
  return (
    <section aria-label={`Results in ${fileName}`} className="grid gap-4 rounded-card border border-line p-4">
      <p className="max-w-text">
        Found {counted(found, 'result')} for {counted(samples.length, 'sample')}. Check them against the certificate. Nothing is saved yet.
        {otherRows > 0 &&
          ` ${counted(otherRows, 'row')} from other tests, such as pesticides or metals, ${otherRows === 1 ? 'was' : 'were'} skipped.`}
      </p>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field label="Lab" hint="Spell it the same way as in earlier results, so labs can be compared.">
          <Input
            value={about.lab}
            maxLength={120}
            onChange={(event) => setAbout({ ...about, lab: event.target.value })}
            className="min-h-12"
          />
        </Field>
        <Field label="Sample from" optional>
          <Input
            value={about.samplePosition}
            maxLength={60}
            placeholder="Such as top or bottom"
            onChange={(event) => setAbout({ ...about, samplePosition: event.target.value })}
            className="min-h-12"
          />
        </Field>
      </div>
      {samples.map((sample, at) => (
        <Sample
          // biome-ignore lint/suspicious/noArrayIndexKey: samples may share a name and never move
          key={at}
          sample={sample}
          number={at + 1}
          choice={choices[at] as SampleChoice}
          rows={rowsOfSample(sample, choices[at] as SampleChoice, about, traits, recorded)}
          plants={plants}
          onChoose={(change) => setChoices(choices.map((choice, i) => (i === at ? { ...choice, ...change } : choice)))}
        />
      ))}
      <FormError>{save.error ? messageOf(save.error) : isUndated ? 'Enter the test date for each sample you save.' : null}</FormError>
      <Button
        size="lg"
        className="justify-self-end"
        disabled={results.length === 0 || isUndated}
        pending={save.isPending}
        pendingText="Saving..."
        onClick={() => save.mutate()}
      >
        {results.length === 0 ? 'Save' : `Save ${counted(results.length, 'result')}`}
      </Button>
    </section>
  )
}

type SampleProps = {
  sample: CertificateSample
  number: number
  choice: SampleChoice
  rows: readonly CertificateRow[]
  plants: readonly LogPlant[]
  onChoose: (change: Partial<SampleChoice>) => void
}

function Sample({ sample, number, choice, rows, plants, onChoose }: SampleProps) {
  const title = sample.name || sample.codes[0] || `Sample ${number}`
  const codes = sample.codes.filter((code) => code !== title)
  const setLeftOut = (analyte: string, isLeftOut: boolean) => {
    const leftOut = new Set(choice.leftOut)
    if (isLeftOut) leftOut.add(analyte)
    else leftOut.delete(analyte)
    onChoose({ leftOut })
  }
  return (
    <section aria-label={title} className="grid gap-3 border-line border-t pt-4">
      <div>
        <h3 className="text-lg wrap-anywhere">{title}</h3>
        {codes.length > 0 && <p className="text-muted text-sm wrap-anywhere">{codes.join(', ')}</p>}
      </div>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field label="Plant">
          <Select value={choice.plantId} onChange={(event) => onChoose({ plantId: event.target.value })} className="[&_select]:min-h-12">
            <option value="">Skip this sample</option>
            {plants.map(({ id, name, label }) => (
              <option key={id} value={id}>
                {label === '' ? name : `${name} ${label}`}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Tested on">
          <Input
            type="date"
            value={choice.testedOn}
            max={localDay()}
            onChange={(event) => onChoose({ testedOn: event.target.value })}
            className="min-h-12"
          />
        </Field>
      </div>
      <ul className="grid divide-y divide-line border-line border-y">
        {rows.map(({ result, analyte, traitNames, isRecorded }) => (
          <li key={result.analyte} className="flex items-start justify-between gap-3 py-1.5">
            <Checkbox
              checked={!isRecorded && !choice.leftOut.has(result.analyte)}
              disabled={isRecorded}
              onChange={(event) => setLeftOut(result.analyte, !event.target.checked)}
              hint={rowHint({ result, analyte, traitNames, isRecorded })}
            >
              {result.analyte}
            </Checkbox>
            <b className="shrink-0 pt-0.5 font-semibold tabular-nums pointer-coarse:pt-3">
              {figureWords({ ...result, value: result.value === null ? null : Number(result.value.toFixed(4)) })}
            </b>
          </li>
        ))}
      </ul>
      {sample.rejected.length > 0 && (
        <div className="grid gap-1 text-sm">
          <p className="font-medium">Left out because we can’t use {sample.rejected.length === 1 ? 'it' : 'them'}:</p>
          <ul className="list-disc pl-5 text-clay">
            {sample.rejected.map(({ text, reason }) => (
              <li key={`${text} ${reason}`}>
                {text}. {reason}.
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

function rowHint({ result, analyte, traitNames, isRecorded }: CertificateRow): string {
  const parts = [
    isRecorded ? 'Already saved for this plant, lab and day' : '',
    result.printed.toLowerCase() === result.analyte.toLowerCase() || result.isComputed ? '' : `“${result.printed}” on the certificate`,
    result.note,
    traitNames.length > 0 ? `Counts for ${formatList(traitNames)}` : '',
    analyte === result.analyte ? '' : `Saved as ${analyte}`,
  ]
  return parts.filter((part) => part !== '').join('. ')
}

type About = { lab: string; samplePosition: string }

/** A sample without a plant isn't saved. */
type SampleChoice = { plantId: string; testedOn: string; leftOut: ReadonlySet<string> }

type CertificateRow = {
  result: CertificateResult
  /** Spelled like the hunt's trait for it, if any. */
  analyte: string
  traitNames: string[]
  /** True if the plant has a result for this analyte from the same lab, day and sample. */
  isRecorded: boolean
}

const tagged = /#\s?(\d+)(?:\s?-\s?(\d+))?|\b(?:pheno(?:type)?|plant)\s*(?:no\.?\s*)?(\d+)(?:-(\d+))?/i

/** Reads a sample's name or codes: "Sunrise Haze #7", "Pheno 7", "7-2", or the code on a plant's label. */
export function plantOfSample({ name, codes }: Pick<CertificateSample, 'name' | 'codes'>, plants: readonly LogPlant[]): LogPlant | null {
  for (const text of [name, ...codes]) {
    const words = [text, ...text.split(/[\s,;:()]+/)].filter((word) => word.replace(/[\s-]/g, '').length === 8)
    for (const word of words) {
      const byCode = findPlant(plants, word)
      if (byCode) return byCode
    }
  }
  for (const text of [name, ...codes]) {
    const [, number, copy, otherNumber, otherCopy] = tagged.exec(text) ?? []
    const whole = /^(\d{1,4})(?:-(\d+))?$/.exec(text.trim())
    const stated = number ?? otherNumber ?? whole?.[1]
    if (stated === undefined) continue
    const statedCopy = copy ?? otherCopy ?? whole?.[2]
    const ofNumber = plants.filter((plant) => plant.number === Number(stated))
    if (statedCopy !== undefined) return ofNumber.find((plant) => plant.copy === Number(statedCopy)) ?? null
    const ended = ofNumber.filter(({ isAlive }) => !isAlive)
    // Labs test harvested plants, so prefer the only plant that has ended.
    if (ended.length === 1) return ended[0] as LogPlant
    return ofNumber.find((plant) => plant.copy === 0) ?? ofNumber[0] ?? null
  }
  return null
}

export const firstChoices = ({ samples }: Certificate, plants: readonly LogPlant[]): SampleChoice[] =>
  samples.map((sample) => ({ plantId: plantOfSample(sample, plants)?.id ?? '', testedOn: sample.testedOn ?? '', leftOut: new Set() }))

type CountingTrait = Pick<Trait, 'name' | 'analyte' | 'isArchived'>

/** Prefers a trait with the same spelling to a synonym. */
function usesOf(result: CertificateResult, traits: readonly CountingTrait[]): Pick<CertificateRow, 'analyte' | 'traitNames'> {
  const lab = traits.flatMap(({ name, analyte, isArchived }) => (analyte === null || isArchived ? [] : { name, analyte }))
  const isAlike = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const chosen =
    lab.find(({ analyte }) => isAlike(analyte, result.analyte)) ?? lab.find(({ analyte }) => isSameAnalyte(analyte, result.analyte))
  const analyte = chosen?.analyte ?? result.analyte
  return { analyte, traitNames: lab.filter((trait) => isAlike(trait.analyte, analyte)).map(({ name }) => name) }
}

const day = (text: string) => text.slice(0, 10)

export function rowsOfSample(
  sample: CertificateSample,
  choice: Pick<SampleChoice, 'plantId' | 'testedOn'>,
  { lab, samplePosition }: About,
  traits: readonly CountingTrait[],
  recorded: readonly LabResult[],
): CertificateRow[] {
  const [inLab, position] = [lab, samplePosition].map((text) => text.trim().toLowerCase())
  // If either position is unknown, it may be the same sample.
  const isElsewhere = (other: string) => position !== '' && other !== '' && position !== other.toLowerCase()
  const same = recorded.filter(
    (each) =>
      each.plantId === choice.plantId &&
      day(each.testedOn) === choice.testedOn &&
      each.lab.toLowerCase() === inLab &&
      !isElsewhere(each.samplePosition),
  )
  return sample.results.map((result) => {
    const uses = usesOf(result, traits)
    return { result, ...uses, isRecorded: same.some(({ analyte }) => analyte.toLowerCase() === uses.analyte.toLowerCase()) }
  })
}

/** Excludes samples without a plant or a day, skipped rows, and recorded results. */
export function resultsToSave(
  { samples }: Certificate,
  choices: readonly SampleChoice[],
  about: About,
  traits: readonly CountingTrait[],
  recorded: readonly LabResult[],
): Omit<NewLabResult, 'id'>[] {
  return samples.flatMap((sample, at) => {
    const choice = choices[at]
    if (!choice || choice.plantId === '' || choice.testedOn === '') return []
    const { plantId, testedOn, leftOut } = choice
    return rowsOfSample(sample, choice, about, traits, recorded)
      .filter(({ result, isRecorded }) => !isRecorded && !leftOut.has(result.analyte))
      .map(({ analyte, result: { value, unit, quantificationLimit } }) => ({
        ...{ plantId, testedOn, analyte, value, unit, quantificationLimit },
        ...{ lab: about.lab.trim(), samplePosition: about.samplePosition.trim() },
      }))
  })
}
