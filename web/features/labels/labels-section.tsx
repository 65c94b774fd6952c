import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { type LabelSheetName, labelSheets, labelsOf, maxLabels } from '../../../contracts/labels.ts'
import type { Genotype, Plant } from '../../../contracts/plants.ts'
import { messageOf } from '../../lib/api-error.ts'
import { counted } from '../../lib/counted.ts'
import { Button } from '../../ui/button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { idsOf, livingPlantsOf, PlantChoice } from '../plants/plant-choice.tsx'
import { genotypesOptions } from '../plants/plants.api.ts'
import { OneLabel, SheetMap } from './label-preview.tsx'
import { printedCodes, rememberPrinted } from './printed-labels.ts'

/** Labels for pots, on sheets: whom for, on which paper, and how one looks. */
export function LabelsSection({ hunt }: { hunt: Hunt }) {
  const { data: genotypes, error, refetch, isFetching } = useQuery(genotypesOptions(hunt.id))
  if (!genotypes) {
    if (error) {
      return (
        <ErrorState
          title="The plants could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      )
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
        <EmptyState level={3} title="No plant to label" description="Labels are for plants that live. Add seeds or cut clones first." />
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
        ? 'Every living clone has its label already.'
        : 'Choose at least one plant.'
      : wanted.length > maxLabels || names.length > 8000
        ? `At most ${maxLabels} labels in one file: choose some of the plants.`
        : null
  const sheets = Math.ceil((start - 1 + wanted.length) / perSheet)
  const query = new URLSearchParams({
    // A list is what was looked at here, also when another plant was added meanwhile.
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
              <option value="clones">Clones without a label from this device ({newClones.length})</option>
              <option value="chosen">Some of them</option>
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
            label="Begin at label"
            hint="On a half-used sheet, the first one that is left. Counted along the rows."
            error={isStartRight ? undefined : `A number from 1 to ${perSheet}`}
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
            hint="Without it, a label that somebody finds tells nothing but a number."
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
                  // Only once the list is left: what is chosen stays while one looks at it.
                  if (which !== 'clones') setPrinted(printedCodes(hunt.id))
                }}
                className={buttonClass('primary', 'lg', 'justify-self-start max-sm:w-full')}
              >
                <Download aria-hidden="true" />
                {wanted.length === 1 ? 'Download 1 label (PDF)' : `Download ${wanted.length} labels (PDF)`}
              </a>
            )}
            {!problem && <p className="text-muted text-sm">{counted(sheets, 'sheet')}. Print at 100%, without fitting to the page.</p>}
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
            Scanning it opens quick log for this plant. Whoever the hunt is not shared with is told that no plant has this code.
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
