import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ArrowLeft,
  ChevronLeft,
  ChevronRight,
  CircleSlash,
  Ellipsis,
  Gavel,
  HeartPulse,
  NotebookPen,
  Pencil,
  Scissors,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype, Plant } from '#contracts/plants.ts'
import type { Harvest } from '#contracts/traits.ts'
import { formatDay } from '#web/entities/hunts/hunt-words.ts'
import { copiesWords, crossWords, endWords, isAlive, sexLabels, stageLabels, stageOf } from '#web/entities/plants/plant-words.ts'
import { removeHarvest, revive } from '#web/entities/plants/plant-writes.ts'
import { genotypeOptions, genotypesOptions, seedLotsOptions } from '#web/entities/plants/plants.api.ts'
import { StandingBadge } from '#web/entities/plants/standing-badge.tsx'
import { harvestsOptions } from '#web/entities/traits/traits.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { LineageTree } from '#web/screens/plants/lineage-tree.tsx'
import { DecisionList, HistoryList } from '#web/screens/plants/plant-history.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { HuntFrame } from './hunt-frame.tsx'

const CutDialog = lazyDialog(async () => (await import('#web/screens/plants/bulk-dialogs.tsx')).CutDialog)
const DecideDialog = lazyDialog(async () => (await import('#web/entities/plants/decide-dialog.tsx')).DecideDialog)
const LogDialog = lazyDialog(async () => (await import('#web/screens/plants/edit-dialogs.tsx')).LogDialog)
const GenotypeDialog = lazyDialog(async () => (await import('#web/screens/plants/edit-dialogs.tsx')).GenotypeDialog)

export function PlantScreen({ huntId, number }: { huntId: string; number: number }) {
  return (
    <HuntFrame id={huntId} back={<BackLink huntId={huntId} />}>
      {(hunt) => <PlantPage hunt={hunt} number={number} />}
    </HuntFrame>
  )
}

const BackLink = ({ huntId }: { huntId: string }) => (
  <Link to="/pheno-hunt/$id" params={{ id: huntId }} className={`${textLink} inline-flex min-h-12 w-fit items-center gap-1.5 text-sm`}>
    <ArrowLeft aria-hidden="true" className="size-4" />
    All plants
  </Link>
)

function PlantPage({ hunt, number }: { hunt: Hunt; number: number }) {
  const { data: genotype, error, refetch, isFetching } = useQuery(genotypeOptions(hunt.id, number))
  if (!genotype) {
    if (!error) return <PageSkeleton />
    if (error instanceof ApiError && error.status === 404) {
      return (
        <>
          <h1 className="sr-only">#{number}</h1>
          <EmptyState title={`No #${number} in this hunt`} description={`${hunt.huntName} has no pheno with this number.`}>
            <Link to="/pheno-hunt/$id" params={{ id: hunt.id }} className={buttonClass('secondary', 'lg')}>
              All plants
            </Link>
          </EmptyState>
        </>
      )
    }
    return <LoadError title={`#${number} couldn’t be loaded`} query={{ error, refetch, isFetching }} />
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Heading hunt={hunt} genotype={genotype} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <section aria-labelledby="history" className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 max-lg:order-2">
          <h2 id="history" className="text-xl">
            History
          </h2>
          <HistoryList huntId={hunt.id} genotypeId={genotype.id} />
        </section>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          <CopyList hunt={hunt} genotype={genotype} />
          <DecisionList hunt={hunt} genotypeId={genotype.id} />
          <LineageTree genotypeId={genotype.id} huntId={hunt.id} />
        </div>
      </div>
    </div>
  )
}

type OpenDialog = 'decide' | 'log' | 'cut' | 'edit'

function Heading({ hunt, genotype }: { hunt: Hunt; genotype: Genotype }) {
  const [asked, setAsked] = useState<OpenDialog | null>(null)
  const { data: lots = [] } = useQuery(seedLotsOptions(hunt.id))
  const { data: genotypes = [] } = useQuery(genotypesOptions(hunt.id))
  const stage = stageOf(genotype)
  const lot = lots.find(({ id }) => id === genotype.seedLotId)
  const dialog = { huntId: hunt.id, genotypes: [genotype], onOpenChange: (open: boolean) => !open && setAsked(null) }
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid gap-2">
          <p className="text-muted text-sm">{hunt.huntName}</p>
          <h1 className="text-3xl wrap-anywhere sm:text-4xl">
            <span className="tabular-nums">{genotype.name}</span> {genotype.label}
          </h1>
          <div className="flex flex-wrap items-center gap-2">
            {genotype.standing ? <StandingBadge standing={genotype.standing} /> : <Badge variant="outline">Undecided</Badge>}
            <Badge variant={genotype.livingCopies === 0 ? 'clay' : 'neutral'}>{copiesWords(genotype)}</Badge>
            {genotype.sex !== 'unknown' && <Badge>{sexLabels[genotype.sex]}</Badge>}
            {stage && genotype.livingCopies > 0 && <Badge>{stageLabels[stage]}</Badge>}
          </div>
        </div>
        <Neighbors hunt={hunt} number={genotype.number} />
      </div>
      {hunt.abilities.write && (
        <div className="flex flex-wrap gap-2">
          <Button size="lg" onClick={() => setAsked('decide')}>
            <Gavel aria-hidden="true" />
            Decide
          </Button>
          <Button size="lg" variant="secondary" onClick={() => setAsked('log')}>
            <NotebookPen aria-hidden="true" />
            Log
          </Button>
          <Button size="lg" variant="secondary" onClick={() => setAsked('cut')}>
            <Scissors aria-hidden="true" />
            Cut clones
          </Button>
          <Button size="lg" variant="quiet" onClick={() => setAsked('edit')}>
            <Pencil aria-hidden="true" />
            Edit
          </Button>
        </div>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
        {lot && <span>{[crossWords(lot, genotypes), lot.breeder].filter((part) => part !== '').join(' · ')}</span>}
        <Link to="/pheno-hunt" search={{ tab: 'tracker', hunt: hunt.id }} className={textLink}>
          Scores in the data tracker
        </Link>
      </p>
      {genotype.notes !== '' && <p className="max-w-text whitespace-pre-line wrap-anywhere">{genotype.notes}</p>}
      {asked === 'decide' && <DecideDialog {...dialog} />}
      {asked === 'log' && <LogDialog {...dialog} hunt={hunt} />}
      {asked === 'cut' && <CutDialog {...dialog} />}
      {asked === 'edit' && <GenotypeDialog huntId={hunt.id} genotype={genotype} onOpenChange={dialog.onOpenChange} />}
    </header>
  )
}

function Neighbors({ hunt, number }: { hunt: Hunt; number: number }) {
  const { data = [] } = useQuery(genotypesOptions(hunt.id))
  const at = data.findIndex((each) => each.number === number)
  const before = data[at - 1]
  const after = at < 0 ? undefined : data[at + 1]
  const look = buttonClass('secondary', 'lg', 'px-3')
  return (
    <nav aria-label="Phenos" className="flex min-h-12 justify-between gap-2 max-sm:w-full">
      {before && (
        <Link to="/pheno-hunt/$id/plants/$number" params={{ id: hunt.id, number: String(before.number) }} className={look}>
          <ChevronLeft aria-hidden="true" />
          <span className="sr-only">Previous: </span>
          {before.name}
        </Link>
      )}
      {after && (
        <Link to="/pheno-hunt/$id/plants/$number" params={{ id: hunt.id, number: String(after.number) }} className={look}>
          <span className="sr-only">Next: </span>
          {after.name}
          <ChevronRight aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}

const PageSkeleton = () => (
  <SkeletonGroup label="Loading the pheno..." className="grid gap-4">
    <Skeleton className="h-4 w-40" />
    <Skeleton className="h-11 w-56" />
    <Skeleton className="h-12 w-80 max-w-full" />
    <Skeleton className="h-24 rounded-card" />
    <Skeleton className="h-64 rounded-card" />
  </SkeletonGroup>
)

const EndDialog = lazyDialog(async () => (await import('#web/screens/plants/edit-dialogs.tsx')).EndDialog)
const PlantDialog = lazyDialog(async () => (await import('#web/screens/plants/edit-dialogs.tsx')).PlantDialog)

function CopyList({ hunt, genotype }: { hunt: Hunt; genotype: Genotype }) {
  const { data: harvests } = useQuery({ ...harvestsOptions(hunt.id), enabled: hunt.abilities.write })
  return (
    <section aria-labelledby="copies" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="copies" className="text-xl">
        Copies
      </h2>
      <Card asChild className="overflow-visible!">
        <ul className="divide-y divide-line">
          {genotype.plants.map((plant) => (
            <Copy
              key={plant.id}
              hunt={hunt}
              genotype={genotype}
              plant={plant}
              harvest={harvests?.find(({ plantId }) => plantId === plant.id)}
            />
          ))}
        </ul>
      </Card>
    </section>
  )
}

type CopyProps = { hunt: Hunt; genotype: Genotype; plant: Plant; harvest: Harvest | undefined }

function Copy({ hunt, genotype, plant, harvest }: CopyProps) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'end' | 'cut' | 'edit' | null>(null)
  const lives = isAlive(plant)
  const mother = genotype.plants.find(({ id }) => id === plant.cutFromId)
  const dialog = { huntId: hunt.id, genotypes: [genotype], plantId: plant.id, onOpenChange: (open: boolean) => !open && setAsked(null) }
  const { placement } = plant
  return (
    <li className="flex items-start gap-2 py-3 pr-1.5 pl-4">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold tabular-nums">{plant.name}</span>
          <code className="rounded-tag bg-sunk px-1.5 py-0.5 font-mono text-xs">{plant.code}</code>
          {plant.isMother && <Badge variant="outline">Mother</Badge>}
          {lives
            ? plant.stage && <Badge>{stageLabels[plant.stage]}</Badge>
            : plant.endedHow && <Badge variant="clay">{endWords[plant.endedHow]}</Badge>}
        </p>
        <p className="text-muted text-sm">
          {[
            plant.kind === 'seed' ? 'Seed plant' : `Clone${mother ? ` of ${mother.name}` : ''}`,
            ...(plant.startedOn ? [`started ${formatDay(plant.startedOn)}`] : []),
            ...(plant.cutOn ? [`cut ${formatDay(plant.cutOn)}`] : []),
            ...(plant.rootedOn ? [`rooted ${formatDay(plant.rootedOn)}`] : []),
            ...(plant.endedOn ? [`ended ${formatDay(plant.endedOn)}`] : []),
          ].join(' · ')}
        </p>
        {placement && (
          <p className="text-muted text-sm">
            {placement.row === null ? placement.runName : `${placement.runName}, row ${placement.row}, column ${placement.column}`}
          </p>
        )}
        {plant.notes !== '' && <p className="text-sm whitespace-pre-line wrap-anywhere">{plant.notes}</p>}
      </div>
      {hunt.abilities.write && (
        <Menu>
          <MenuTrigger asChild>
            <IconButton label={`More actions for ${plant.name}`} className="min-h-12 min-w-12">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          </MenuTrigger>
          <MenuContent>
            <MenuItem onSelect={() => setAsked('edit')}>
              <Pencil aria-hidden="true" />
              Edit
            </MenuItem>
            {lives ? (
              <>
                <MenuItem onSelect={() => setAsked('cut')}>
                  <Scissors aria-hidden="true" />
                  Cut clones
                </MenuItem>
                <MenuItem danger onSelect={() => setAsked('end')}>
                  <CircleSlash aria-hidden="true" />
                  End
                </MenuItem>
              </>
            ) : (
              <MenuItem onSelect={() => void revive(client, hunt.id, [plant.id])}>
                <HeartPulse aria-hidden="true" />
                Mark as alive
              </MenuItem>
            )}
            {harvest && (
              <MenuItem danger onSelect={() => void removeHarvest(client, genotype, plant, harvest)}>
                <Trash2 aria-hidden="true" />
                Delete harvest
              </MenuItem>
            )}
          </MenuContent>
        </Menu>
      )}
      {asked === 'end' && <EndDialog {...dialog} />}
      {asked === 'cut' && <CutDialog {...dialog} />}
      {asked === 'edit' && <PlantDialog plant={plant} onOpenChange={dialog.onOpenChange} />}
    </li>
  )
}
