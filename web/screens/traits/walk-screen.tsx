import { Check, ChevronLeft, ChevronRight, Delete, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ObservedValue } from '#contracts/observations.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { PhotoPicker } from '#web/entities/grow-logs/photo-picker.tsx'
import { dayText } from '#web/entities/growing-plots/plot-table.ts'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { useConnectivity } from '#web/entities/offline/use-outbox.ts'
import { formatValue, type OpenedTrait, observedValueOf, readValue, removedHint, valueText } from '#web/entities/traits/trait-words.ts'
import { ValueInput } from '#web/entities/traits/value-input.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { type NewValue, undoValues, writePhoto, writeValues } from './observation-writes.ts'
import { nextUnscoredStop, type Stop, scoredOn, scoresOf, type WalkPlan } from './walk-plan.ts'

type WalkScreenProps = {
  huntId: string
  opened: OpenedTrait
  nextTrait: Trait | null
  plan: WalkPlan
  stops: readonly Stop[]
  records: readonly TraitRecord[]
  onTrait: (trait: Trait) => void
  onClose: () => void
}

/** In milliseconds. Enough for the second tap of a double tap, and less than it takes to read the next plant's number. */
const doubleTapMs = 300

type LastSave = { words: string; plantId: string; undo: (() => Promise<void>) | null }

/** For one-handed use, one plant after another. */
export function WalkScreen({ huntId, opened, nextTrait, plan, stops, records, onTrait, onClose }: WalkScreenProps) {
  const { trait, removed } = opened
  const hint = removedHint(opened)
  const { day, showsLast, labels } = plan
  const scored = scoredOn(records, trait.id, day)
  const [plantId, setPlantId] = useState<string | null>(
    () => (stops.find((stop) => !scored.has(stop.plantId)) ?? stops[0])?.plantId ?? null,
  )
  const [draft, setDraft] = useState<ObservedValue | null>(null)
  const [photos, setPhotos] = useState<readonly File[]>([])
  const [problem, setProblem] = useState<string | undefined>()
  const [lastSave, setLastSave] = useState<LastSave | null>(null)
  const isOffline = useConnectivity() === 'offline'
  const isSaving = useRef(false)
  const undoing = useRef<LastSave | null>(null)
  const shownName = useRef<HTMLParagraphElement>(null)
  // Counts how often a plant came on screen. An earlier visit's timer must not end a later visit's pause.
  const [visit, setVisit] = useState(0)
  const [restedVisit, setRestedVisit] = useState(0)
  const isResting = visit !== restedVisit
  const stop = stops.find((each) => each.plantId === plantId) ?? null
  const count = stops.filter((each) => scored.has(each.plantId)).length
  const { own, last } = scoresOf(records, trait.id, stop?.plantId ?? '', day)
  const before = last && !labels ? `${formatValue(trait, last)} on ${dayText(last.on)}` : null

  useEffect(() => {
    const timer = setTimeout(() => setRestedVisit(visit), doubleTapMs)
    return () => clearTimeout(timer)
  }, [visit])

  function goTo(next: Stop | null) {
    setVisit((count) => count + 1)
    setPlantId(next?.plantId ?? null)
    setDraft(null)
    setPhotos([])
    setProblem(undefined)
  }
  const step = (by: 1 | -1) => {
    const at = stops.findIndex((each) => each.plantId === plantId)
    goTo(stops[(at + by + stops.length) % stops.length] ?? null)
  }

  async function save(value: ObservedValue | null) {
    if (!stop || isSaving.current || removed === 'deleted') return
    const isPhoto = trait.kind === 'photo'
    const [photo] = photos
    if (isPhoto ? !photo : !value) return setProblem(isPhoto ? 'Take a photo first' : 'Enter a value first')
    const title = `${trait.name} of ${stop.name}`
    const said: Omit<NewValue, 'value'> = {
      traitId: trait.id,
      plantId: stop.plantId,
      observedOn: day,
      isBlind: labels !== null,
      sameDay: isPhoto ? 'add' : 'correct',
    }
    isSaving.current = true
    try {
      const written = isPhoto
        ? await writePhoto(huntId, title, said, photo as File)
        : await writeValues(huntId, title, [{ ...said, value }])
      const words = isPhoto ? 'photo' : formatValue(trait, shownValue(value))
      setLastSave({
        words: `Saved ${stop.name}: ${words}.${before && !showsLast ? ` Before: ${before}.` : ''}`,
        plantId: stop.plantId,
        // The records of an archived trait aren't read, so the earlier score is unknown.
        undo: removed ? null : () => undoValues(huntId, title, said, written, own && valueOfRecord(own)),
      })
      goTo(removed ? null : nextUnscoredStop(stops, stop.plantId, new Set([...scored, stop.plantId])))
    } catch (error) {
      toastUnsaved('The score couldn’t be saved', error)
    } finally {
      isSaving.current = false
    }
  }

  /** The options are the same elements for every plant, so the second tap of a double tap would score the next plant. */
  const pick = (value: ObservedValue) => {
    if (!isResting) void save(value)
  }

  async function undo() {
    // Ignore the second tap of a double tap, which comes before the button is disabled.
    if (!lastSave?.undo || undoing.current === lastSave) return
    undoing.current = lastSave
    try {
      await lastSave.undo()
      setLastSave({ ...lastSave, words: 'Undone.', undo: null })
      goTo(stops.find((each) => each.plantId === lastSave.plantId) ?? null)
    } catch (error) {
      undoing.current = null
      toastUnsaved('The score couldn’t be undone', error)
    }
  }

  const isOneTap = trait.kind === 'ordinal' || trait.kind === 'category'
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={trait.name}
        description={hint ?? `${count} of ${stops.length} scored${labels ? ', blind' : ''}`}
        size="md"
        className="h-dvh max-h-none! max-sm:rounded-none! sm:h-[86dvh]"
        onOpenAutoFocus={(event) => {
          if (!shownName.current) return
          event.preventDefault()
          shownName.current.focus()
        }}
        onKeyDown={({ key, target, repeat, metaKey, ctrlKey, altKey }) => {
          if (target instanceof HTMLInputElement || repeat || metaKey || ctrlKey || altKey) return
          const option = trait.kind === 'ordinal' ? trait.options.find(({ value }) => String(value) === key) : undefined
          if (option) void save({ kind: 'number', number: option.value })
        }}
        actions={
          <div className="flex w-full items-center gap-3">
            {/* Not atomic, because the last score stays visible next to Undo and shouldn’t be announced again with each plant. */}
            <p role="status" aria-atomic="false" className="min-w-0 flex-1 text-sm wrap-anywhere">
              {lastSave?.words}
              {lastSave?.undo && isOffline && ' It’ll be sent when you’re back online.'}
              {stop && <span className="sr-only">{` Plant ${spotted(stop)}. ${own ? 'Scored.' : 'Not scored.'}`}</span>}
            </p>
            <Button variant="secondary" className="min-h-14 min-w-24" disabled={!lastSave?.undo} onClick={() => void undo()}>
              <Undo2 aria-hidden="true" />
              Undo
            </Button>
            {stop && !isOneTap && removed !== 'deleted' && (
              <Button className="min-h-14 min-w-24" onClick={() => void save(draft)}>
                {removed ? 'Save anyway' : 'Save'}
              </Button>
            )}
          </div>
        }
      >
        {stop === null ? (
          <WalkEnd
            words={
              removed
                ? `The walk for ${trait.name} ends here.`
                : stops.length === 1
                  ? `The plant has been scored for ${trait.name}.`
                  : `All ${stops.length} plants have been scored for ${trait.name}.`
            }
            nextTrait={nextTrait}
            onTrait={onTrait}
            onClose={onClose}
          />
        ) : (
          <div className="flex h-full flex-col gap-3">
            <div className="flex items-center gap-2">
              <IconButton label="Previous plant" onClick={() => step(-1)} className="size-14 [&_svg]:size-7">
                <ChevronLeft aria-hidden="true" />
              </IconButton>
              <div className="grid min-w-0 flex-1 justify-items-center">
                <p ref={shownName} tabIndex={-1} data-walk-plant="" className="max-w-full truncate font-display text-4xl tabular-nums">
                  {stop.name}
                </p>
                <p className="flex min-h-5 max-w-full items-center gap-1 truncate text-muted text-sm">
                  {own && <Check aria-hidden="true" className="size-4 shrink-0 text-leaf" />}
                  {[own ? 'Scored' : '', stop.spot, (showsLast || own) && before ? `Last: ${before}` : '']
                    .filter((part) => part !== '')
                    .join(' · ')}
                </p>
              </div>
              <IconButton label="Next plant" onClick={() => step(1)} className="size-14 [&_svg]:size-7">
                <ChevronRight aria-hidden="true" />
              </IconButton>
            </div>
            {isOneTap && <Scale trait={trait} chosen={own} isResting={isResting} onPick={pick} />}
            {trait.kind === 'number' && (
              <Keypad
                key={stop.plantId}
                trait={trait}
                first={own ? valueText(trait, own) : ''}
                problem={problem}
                onChange={(value) => {
                  setProblem(undefined)
                  setDraft(value)
                }}
              />
            )}
            {(trait.kind === 'date' || trait.kind === 'checks') && (
              <ValueInput
                key={stop.plantId}
                trait={trait}
                first={own ?? undefined}
                error={problem}
                onChange={(value) => {
                  setProblem(undefined)
                  setDraft(value)
                }}
              />
            )}
            {trait.kind === 'photo' && (
              <div className="grid gap-1.5">
                <PhotoPicker photos={photos} onChange={(files) => setPhotos(files.slice(-1))} />
                {problem && <p className="font-medium text-clay text-sm">{problem}</p>}
              </div>
            )}
          </div>
        )}
      </DialogContent>
    </Dialog>
  )
}

const spotted = ({ name, spot }: Stop) => (spot === '' ? name : `${name}, ${spot}`)

const shownValue = (value: ObservedValue | null) => (value === null || value.kind === 'photo' ? {} : value)

const valueOfRecord = ({ number, date, options }: TraitRecord): ObservedValue | null =>
  observedValueOf({ number: number ?? null, date: date ?? null, options: options ?? null })

type ScaleProps = { trait: Trait; chosen: TraitRecord | null; isResting: boolean; onPick: (value: ObservedValue) => void }

/** Up to ten options fit without scrolling, toward the bottom of the screen, where a thumb reaches. */
function Scale({ trait, chosen, isResting, onPick }: ScaleProps) {
  const isOrdinal = trait.kind === 'ordinal'
  const isChosen = (value: number) => (isOrdinal ? chosen?.number === value : chosen?.options?.includes(value) === true)
  return (
    <fieldset className="flex min-h-0 flex-1 flex-col justify-end">
      <legend className="sr-only">{trait.name}</legend>
      <div
        className={cx(
          'grid min-h-0 auto-rows-[minmax(2.75rem,4.25rem)] content-end gap-1.5',
          trait.options.length > 7 ? 'grid-cols-2' : 'grid-cols-1',
          trait.options.length <= 10 && 'flex-1',
        )}
      >
        {trait.options.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={isChosen(value)}
            aria-disabled={isResting || undefined}
            // Holding down Enter would click repeatedly.
            onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
            onClick={() => onPick(isOrdinal ? { kind: 'number', number: value } : { kind: 'options', options: [value] })}
            className={cx(
              'flex min-h-11 min-w-0 items-center gap-3 rounded-input border px-3 text-left transition-colors',
              isChosen(value) ? 'border-transparent bg-leaf text-on-leaf' : 'border-edge bg-surface hover:bg-sunk',
            )}
          >
            {isOrdinal && <span className="font-semibold text-xl tabular-nums">{value}</span>}
            <span className="line-clamp-2 min-w-0 text-sm/tight wrap-anywhere">{label}</span>
          </button>
        ))}
      </div>
    </fieldset>
  )
}

type KeypadProps = {
  trait: Trait
  first: string
  problem: string | undefined
  onChange: (value: ObservedValue | null) => void
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0'] as const

/** For thumbs, because a phone's keyboard would cover half of the screen. */
function Keypad({ trait, first, problem, onChange }: KeypadProps) {
  const [text, setText] = useState(first)
  const read = readValue(trait, text)
  const error = read && 'error' in read ? read.error : problem
  const write = (next: string) => {
    setText(next)
    const value = readValue(trait, next)
    onChange(value && 'value' in value ? value.value : null)
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-end gap-3">
      <div className="grid gap-1.5">
        <Input
          aria-label={trait.unit === '' ? trait.name : `${trait.name} (${trait.unit})`}
          aria-invalid={error !== undefined}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => write(event.target.value)}
          className="min-h-14 text-center font-semibold text-2xl tabular-nums"
        />
        <p className="min-h-5 font-medium text-clay text-sm" aria-live="polite">
          {error}
        </p>
      </div>
      <div className="grid grid-cols-3 gap-2">
        {keys.map((key) => (
          <KeypadButton key={key} label={key === '.' ? 'Decimal point' : key} onClick={() => write(text + key)}>
            {key}
          </KeypadButton>
        ))}
        <KeypadButton label="Delete last digit" onClick={() => write(text.slice(0, -1))}>
          <Delete aria-hidden="true" />
        </KeypadButton>
      </div>
    </div>
  )
}

const KeypadButton = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <Button variant="secondary" aria-label={label} onClick={onClick} className="min-h-14 px-0 text-xl">
    {children}
  </Button>
)

type WalkEndProps = { words: string; nextTrait: Trait | null; onTrait: (trait: Trait) => void; onClose: () => void }

const WalkEnd = ({ words, nextTrait, onTrait, onClose }: WalkEndProps) => (
  <div className="flex h-full flex-col justify-end gap-3">
    <p className="my-auto text-center font-display text-2xl">{words}</p>
    {nextTrait && (
      <Button size="lg" className="min-h-14" onClick={() => onTrait(nextTrait)}>
        Score {nextTrait.name} next
      </Button>
    )}
    <Button size="lg" variant={nextTrait ? 'secondary' : 'primary'} className="min-h-14" onClick={onClose}>
      Finish
    </Button>
  </div>
)
