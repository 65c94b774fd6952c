import { useQueryClient } from '@tanstack/react-query'
import { CircleSlash, Ellipsis, HeartPulse, Pencil, Scissors } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype, Plant } from '#contracts/plants.ts'
import { dayWords } from '#web/entities/hunts/hunt-words.ts'
import { endWords, isAlive, stageWords } from '#web/entities/plants/plant-words.ts'
import { revive } from '#web/entities/plants/plant-writes.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'

const CutDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).CutDialog)
const EndDialog = lazyDialog(async () => (await import('./end-dialog.tsx')).EndDialog)
const PlantDialog = lazyDialog(async () => (await import('./edit-dialogs.tsx')).PlantDialog)

export function CopyList({ hunt, genotype }: { hunt: Hunt; genotype: Genotype }) {
  return (
    <section aria-labelledby="copies" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="copies" className="text-xl">
        Copies
      </h2>
      <Card asChild className="overflow-visible!">
        <ul className="divide-y divide-line">
          {genotype.plants.map((plant) => (
            <Copy key={plant.id} hunt={hunt} genotype={genotype} plant={plant} />
          ))}
        </ul>
      </Card>
    </section>
  )
}

function Copy({ hunt, genotype, plant }: { hunt: Hunt; genotype: Genotype; plant: Plant }) {
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
            ? plant.stage && <Badge>{stageWords[plant.stage]}</Badge>
            : plant.endedHow && <Badge variant="clay">{endWords[plant.endedHow]}</Badge>}
        </p>
        <p className="text-muted text-sm">
          {[
            plant.kind === 'seed' ? 'Seed plant' : `Clone${mother ? ` of ${mother.name}` : ''}`,
            ...(plant.startedOn ? [`started ${dayWords(plant.startedOn)}`] : []),
            ...(plant.cutOn ? [`cut ${dayWords(plant.cutOn)}`] : []),
            ...(plant.rootedOn ? [`rooted ${dayWords(plant.rootedOn)}`] : []),
            ...(plant.endedOn ? [`ended ${dayWords(plant.endedOn)}`] : []),
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
            <IconButton label={`More about ${plant.name}`} className="min-h-12 min-w-12">
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
          </MenuContent>
        </Menu>
      )}
      {asked === 'end' && <EndDialog {...dialog} />}
      {asked === 'cut' && <CutDialog {...dialog} />}
      {asked === 'edit' && <PlantDialog plant={plant} onOpenChange={dialog.onOpenChange} />}
    </li>
  )
}
