import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import { type LabelSheet, labelSheets, labelsOf, maxLabels } from '#contracts/labels.rules.ts'
import type { LabelSheetName } from '#contracts/plants.endpoints.ts'
import type { Genotype, Plant } from '#contracts/plants.ts'
import { idsOf, livingPlantsOf, PlantChoice } from '#web/entities/plants/plant-choice.tsx'
import { genotypesOptions } from '#web/entities/plants/plants.api.ts'
import { counted } from '#web/lib/format.ts'
import { deviceItem } from '#web/lib/store.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { QrModules } from '#web/ui/qr-code.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

export function LabelsSection({ hunt }: { hunt: Hunt }) {
  const { data: genotypes, error, refetch, isFetching } = useQuery(genotypesOptions(hunt.id))
  if (!genotypes) {
    if (error) {
      return <LoadError title="The plants couldn’t be loaded" query={{ error, refetch, isFetching }} />
    }
    return (
      <SkeletonGroup label="Loading plants..." className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Skeleton className="h-96 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </SkeletonGroup>
    )
  }
  const plants = livingPlantsOf(genotypes)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2 className="sr-only">Labels</h2>
      {plants.length === 0 ? (
        <EmptyState level={3} title="No plants to label" description="Labels are for living plants. Add seeds or cut clones first." />
      ) : (
        <LabelForm hunt={hunt} genotypes={genotypes} plants={plants} />
      )}
    </div>
  )
}

type Which = 'living' | 'clones' | 'chosen'

function LabelForm({ hunt, genotypes, plants }: { hunt: Hunt; genotypes: readonly Genotype[]; plants: readonly Plant[] }) {
  const [which, setWhich] = useState<Which>('living')
  const [chosen, setChosen] = useState(() => idsOf(plants))
  const [sheetName, setSheetName] = useState<LabelSheetName>('avery-5160')
  const [typedStart, setTypedStart] = useState('1')
  const [showsName, setShowsName] = useState(false)
  const [printed, setPrinted] = useState(() => printedCodes(hunt.id))
  const sheet = labelSheets[sheetName]
  const perSheet = labelsOf(sheet)
  const number = /^\d+$/.test(typedStart.trim()) ? Number(typedStart) : 0
  const isStartRight = number >= 1 && number <= perSheet
  const start = isStartRight ? number : 1

  const newClones = plants.filter(({ kind, code }) => kind === 'clone' && !printed.has(code))
  const wanted = which === 'living' ? plants : which === 'clones' ? newClones : plants.filter(({ id }) => chosen.has(id))
  const names = wanted.map(({ name }) => name.slice(1)).join(',')
  const problem =
    wanted.length === 0
      ? which === 'clones'
        ? 'No living clones are left to label on this device.'
        : 'Choose at least one plant.'
      : wanted.length > maxLabels || names.length > 8000
        ? `One file can have at most ${maxLabels} labels. Choose fewer plants.`
        : null
  const sheets = Math.ceil((start - 1 + wanted.length) / perSheet)
  const query = new URLSearchParams({
    // Listed explicitly, so the file matches the preview even if someone added a plant in the meantime.
    plants: names,
    sheet: sheetName,
    start: String(start),
    name: showsName ? 'yes' : 'no',
  })
  const first = wanted[0] ?? plants[0]
  const labelOf = (plant: Plant) => genotypes.find(({ id }) => id === plant.genotypeId)?.label ?? ''

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card>
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Field label="Plants">
            <Select value={which} onChange={({ target }) => setWhich(target.value as Which)} className="[&_select]:min-h-12">
              <option value="living">All living plants ({plants.length})</option>
              <option value="clones">Clones not yet labeled on this device ({newClones.length})</option>
              <option value="chosen">Selected plants</option>
            </Select>
          </Field>
          {which === 'chosen' && <PlantChoice legend="Which plants" plants={plants} chosen={chosen} onChoose={setChosen} />}
          <Field
            label="Paper"
            hint={`${sheet.paper}, ${sheet.columns} × ${sheet.rows} labels of ${size(sheet.width)} × ${size(sheet.height)} mm`}
          >
            <Select
              value={sheetName}
              onChange={({ target }) => {
                setSheetName(target.value as LabelSheetName)
                setTypedStart('1')
              }}
              className="[&_select]:min-h-12"
            >
              {Object.entries(labelSheets).map(([name, each]) => (
                <option key={name} value={name}>
                  {each.paper}: {each.name}
                </option>
              ))}
            </Select>
          </Field>
          <Field
            label="Start at label"
            hint="The first unused label on a partly used sheet, counting along the rows."
            error={isStartRight ? undefined : `Enter a number from 1 to ${perSheet}`}
          >
            <Input
              inputMode="numeric"
              autoComplete="off"
              value={typedStart}
              onChange={({ target }) => setTypedStart(target.value)}
              className="min-h-12 max-w-32 tabular-nums"
            />
          </Field>
          <Checkbox
            checked={showsName}
            onChange={({ target }) => setShowsName(target.checked)}
            hint="Without it, a lost label doesn’t show which hunt it’s from."
          >
            Print the hunt’s name
          </Checkbox>
          <div className="grid gap-2">
            {problem ? (
              <>
                <p role="status" className="text-muted text-sm">
                  {problem}
                </p>
                <Button size="lg" disabled className="justify-self-start max-sm:w-full">
                  <Download aria-hidden="true" />
                  Download labels
                </Button>
              </>
            ) : (
              <a
                href={`/api/pheno-hunts/${hunt.id}/labels.pdf?${query}`}
                download
                onClick={() => {
                  const codes = wanted.map(({ code }) => code)
                  rememberPrinted(hunt.id, codes)
                  // While the new clones are selected, an update would empty the list on screen.
                  if (which !== 'clones') setPrinted(printedCodes(hunt.id))
                }}
                className={buttonClass('primary', 'lg', 'justify-self-start max-sm:w-full')}
              >
                <Download aria-hidden="true" />
                {wanted.length === 1 ? 'Download 1 label (PDF)' : `Download ${wanted.length} labels (PDF)`}
              </a>
            )}
            {!problem && <p className="text-muted text-sm">{counted(sheets, 'sheet')}. Print at 100%, without scaling to fit.</p>}
          </div>
        </CardBody>
      </Card>
      <section aria-labelledby="label-preview" className="grid justify-items-start gap-4 max-lg:sm:grid-cols-2">
        <div className="grid w-full gap-3">
          <h3 id="label-preview" className="text-lg">
            Preview
          </h3>
          {first && <OneLabel sheet={sheet} plant={first} label={labelOf(first)} huntName={showsName ? hunt.huntName : null} />}
          <p className="text-muted text-sm">
            Scan it to open Quick Log for this plant. People without access to the hunt are told that no plant has this code.
          </p>
        </div>
        <div className="grid w-full gap-2">
          <p className="font-medium text-sm">First sheet</p>
          <SheetMap sheet={sheet} count={wanted.length} start={start} onStart={(place) => setTypedStart(String(place))} />
        </div>
      </section>
    </div>
  )
}

/** "66.7" */
const size = (millimeters: number): string => String(Math.round(millimeters * 10) / 10)

type OneLabelProps = { sheet: LabelSheet; plant: Pick<Plant, 'name' | 'code'>; label: string; huntName: string | null }

/** Looks like the printed label, black on white in both themes. Units are millimeters. */
function OneLabel({ sheet, plant, label, huntName }: OneLabelProps) {
  const { width, height } = sheet
  const side = Math.min(height - 1, width / 2)
  const x = 1 + side + 1
  const room = width - x - 1.5
  return (
    <svg
      role="img"
      aria-label={`Label for ${plant.name}: ${[label, plant.code, huntName].filter(Boolean).join(', ')}, with a QR code`}
      viewBox={`0 0 ${width} ${height}`}
      className="w-full max-w-sm rounded-tag bg-[#fff] shadow-lift"
    >
      <QrModules text={`${location.origin}/pheno-hunt/log/${plant.code}`} x={1} y={(height - side) / 2} side={side} />
      <g fill="#17291f" fontFamily="var(--font-sans)">
        <FittedText x={x} y={9.5} size={9} room={room}>
          {plant.name}
        </FittedText>
        <FittedText x={x} y={14} size={3.6} room={room}>
          {label}
        </FittedText>
        <FittedText x={x} y={height - (huntName ? 5.2 : 2.2)} size={4.2} room={room}>
          {plant.code}
        </FittedText>
        <FittedText x={x} y={height - 2} size={2.6} room={room}>
          {huntName ?? ''}
        </FittedText>
      </g>
    </svg>
  )
}

/** Squeezes text that is too wide. Printed labels use a smaller font instead. */
function FittedText({ x, y, size, room, children }: { x: number; y: number; size: number; room: number; children: string }) {
  const isWide = children.length * size * 0.62 > room
  return (
    <text x={x} y={y} fontSize={size} {...(isWide && { textLength: room, lengthAdjust: 'spacingAndGlyphs' })}>
      {children}
    </text>
  )
}

type SheetMapProps = { sheet: LabelSheet; count: number; start: number; onStart: (start: number) => void }

/** Pressing a position on the first sheet makes it the first label to print. */
function SheetMap({ sheet, count, start, onStart }: SheetMapProps) {
  const places = Array.from({ length: labelsOf(sheet) }, (_, i) => i + 1)
  const words = (place: number) => (place < start ? 'used' : place < start + count ? 'printed' : 'left blank')
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${sheet.paperWidth} ${sheet.paperHeight}`}
      className="w-full max-w-60 rounded-tag border border-line bg-[#fff]"
    >
      {places.map((place) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the field beside it does the same by keyboard
        <rect
          key={place}
          x={sheet.left + ((place - 1) % sheet.columns) * sheet.pitchX + 0.6}
          y={sheet.top + Math.floor((place - 1) / sheet.columns) * sheet.pitchY + 0.6}
          width={sheet.width - 1.2}
          height={sheet.height - 1.2}
          rx={2}
          onClick={() => onStart(place)}
          className={cx(
            'cursor-pointer',
            words(place) === 'printed' ? 'fill-leaf' : words(place) === 'used' ? 'fill-[#d5d5cf]' : 'fill-[#f3f3ee]',
          )}
        />
      ))}
    </svg>
  )
}

const keyOf = (huntId: string) => `labels:${huntId}`

/** Codes of the hunt's labels that were printed on this device. Empty if the browser blocks storage. */
function printedCodes(huntId: string): ReadonlySet<string> {
  try {
    const codes: unknown = JSON.parse(localStorage.getItem(keyOf(huntId)) ?? '[]')
    return new Set(Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [])
  } catch {
    return new Set()
  }
}

const rememberPrinted = (huntId: string, codes: readonly string[]): void =>
  deviceItem(keyOf(huntId)).set(JSON.stringify([...new Set([...printedCodes(huntId), ...codes])]))
