import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listObservations, setObservationRuns } from '#contracts/calls/observations.ts'
import { listPlacements, placePlants } from '#contracts/calls/runs.ts'
import { maxObservationsAtOnce } from '#contracts/limits.ts'
import type { Observation } from '#contracts/observations.endpoints.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Run } from '#contracts/runs.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import { idsOf, PlantChoice } from '#web/entities/plants/plant-choice.tsx'
import { refreshPlants } from '#web/entities/plants/plants.api.ts'
import { refreshTraits } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callPage, everyPage } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'

type AssignRunDialogProps = {
  huntId: string
  genotypes: readonly Genotype[]
  runs: readonly Run[]
  records: readonly TraitRecord[]
  onOpenChange: (open: boolean) => void
}

/** For values without a run. Assigns them to the run in which their plants grew. */
export function AssignRunDialog({ huntId, genotypes, runs, records, onOpenChange }: AssignRunDialogProps) {
  const client = useQueryClient()
  const withValues = new Set(records.map(({ plantId }) => plantId))
  const plants = genotypes.flatMap((genotype) => genotype.plants.filter(({ id }) => withValues.has(id)))
  const [chosen, setChosen] = useState(() => idsOf(plants))
  const [runId, setRunId] = useState(runs[0]?.id ?? '')
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const assigned = records.filter(({ plantId }) => chosen.has(plantId))
  const run = runs.find(({ id }) => id === runId)
  const refresh = () => Promise.all([refreshTraits(client), refreshPlants(client)])

  async function assign() {
    if (!run) return
    setSending(true)
    setFailure(null)
    try {
      const observations = await observationsOf(huntId, assigned)
      const observationIds = observations.map(({ id }) => id)
      const isRecorded = new Set(observations.map((each) => keyOf({ ...each, on: each.observedOn })))
      // Weights, lab results, logs and tastings belong to their plant's run. Placing a plant again would lose its position.
      const inRun = new Set((await call(listPlacements, { params: { id: run.id } })).map(({ plantId }) => plantId))
      const derived = assigned.filter((record) => !isRecorded.has(keyOf(record)) && !inRun.has(record.plantId))
      const plantIds = [...new Set(derived.map(({ plantId }) => plantId))]
      if (plantIds.length > 0) {
        const placements = plantIds.map((plantId) => ({ plantId, row: null, column: null }))
        await call(placePlants, { params: { id: run.id }, body: { placements } })
      }
      await setRuns(huntId, observationIds, run.id)
      await refresh()
      onOpenChange(false)
      const undo = async () => {
        try {
          await setRuns(huntId, observationIds, null)
          if (plantIds.length > 0) await call(placePlants, { params: { id: run.id }, body: { removedPlantIds: plantIds } })
          toast({ title: 'Undone' })
        } catch (error) {
          toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
        }
        await refresh()
      }
      const count = observations.length + derived.length
      if (count === 0) toast({ title: 'These values already belong to a run' })
      else toast({ title: `${counted(count, 'value')} assigned to ${run.name}`, action: { label: 'Undo', onClick: () => void undo() } })
    } catch (error) {
      setFailure(messageOf(error))
    }
    setSending(false)
  }

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title="Assign values to a run"
        description="These plants weren’t in a run when the values were recorded. Where did they grow?"
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button className="min-h-12" pending={isSending} disabled={!run || assigned.length === 0} onClick={() => void assign()}>
              Assign {counted(assigned.length, 'value')}
            </Button>
          </>
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Field label="Run">
            <Select value={runId} onChange={(event) => setRunId(event.target.value)} className="[&_select]:min-h-12">
              {runs.map(({ id, name, room }) => (
                <option key={id} value={id}>
                  {room === '' ? name : `${name}, ${room}`}
                </option>
              ))}
            </Select>
          </Field>
          <PlantChoice legend="Plants" plants={plants} chosen={chosen} onChoose={setChosen} />
          <FormError>{failure}</FormError>
        </div>
      </DialogContent>
    </Dialog>
  )
}

const keyOf = (of: { traitId: string; plantId: string; on: string }) => `${of.traitId} ${of.plantId} ${of.on}`

async function observationsOf(huntId: string, records: readonly TraitRecord[]): Promise<Observation[]> {
  const wanted = new Set(records.map(keyOf))
  const input = { params: { id: huntId }, query: { withoutRun: true, limit: 100 } }
  const observations = await everyPage((next) => callPage(listObservations, input, next))
  return observations.filter((each) => wanted.has(keyOf({ ...each, on: each.observedOn })))
}

async function setRuns(huntId: string, ids: readonly string[], runId: string | null): Promise<void> {
  for (let at = 0; at < ids.length; at += maxObservationsAtOnce) {
    const observationIds = ids.slice(at, at + maxObservationsAtOnce)
    await call(setObservationRuns, { params: { id: huntId }, body: { runId, observationIds } })
  }
}
