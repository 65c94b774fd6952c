import type { Genotype, Plant } from '#contracts/plants.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { FieldGroup } from '#web/ui/field.tsx'
import { livingOf } from './plant-words.ts'

type PlantChoiceProps = {
  legend: string
  hint?: string
  error?: string | undefined
  plants: readonly Plant[]
  chosen: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
}

export const livingPlantsOf = (genotypes: readonly Genotype[]): Plant[] => genotypes.flatMap(livingOf)
export const idsOf = (plants: readonly Plant[]): ReadonlySet<string> => new Set(plants.map(({ id }) => id))

export function PlantChoice({ legend, hint, error, plants, chosen, onChoose }: PlantChoiceProps) {
  const clones = plants.filter(({ kind }) => kind === 'clone')
  const isMixed = clones.length > 0 && clones.length < plants.length
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  if (plants.length === 1 && plants[0]) return <p className="text-muted text-sm">{`${legend}: ${plants[0].name}`}</p>
  return (
    <FieldGroup legend={legend} hint={hint} error={error}>
      {plants.length > 3 && (
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" className="min-h-12" onClick={() => onChoose(idsOf(plants))}>
            All {plants.length}
          </Button>
          {isMixed && (
            <>
              <Button variant="quiet" className="min-h-12" onClick={() => onChoose(idsOf(plants.filter(({ kind }) => kind === 'seed')))}>
                Seed plants
              </Button>
              <Button variant="quiet" className="min-h-12" onClick={() => onChoose(idsOf(clones))}>
                Clones
              </Button>
            </>
          )}
          <Button variant="quiet" className="min-h-12" onClick={() => onChoose(new Set())}>
            None
          </Button>
        </div>
      )}
      <div className="flex max-h-56 flex-wrap gap-2 overflow-y-auto p-0.5">
        {plants.map(({ id, name }) => (
          <Chip key={id} pressed={chosen.has(id)} onClick={() => toggle(id)} className="min-h-12 tabular-nums">
            {name}
          </Chip>
        ))}
      </div>
    </FieldGroup>
  )
}
