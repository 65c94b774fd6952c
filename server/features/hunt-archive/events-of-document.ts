import type { HuntDocument } from '../../../contracts/hunt-archive.ts'
import type { HuntEvent } from '../hunts/index.ts'
import type { NewIds } from './archive-table.ts'

type Making = { huntId: string; ids: NewIds; recordedBy: string; now: Date }

/** The history that a document's entries tell. What is not in it (who, and in which order on a day) is not made up. */
export function eventsOfDocument(document: HuntDocument, { huntId, ids, recordedBy, now }: Making): HuntEvent[] {
  const idOf = (list: Parameters<NewIds['get']>[0], place: number | null): string | null =>
    place === null ? null : (ids.get(list)?.[place] ?? null)
  const genotypeOfPlant = (place: number | null): string | null =>
    place === null ? null : idOf('genotypes', document.plants[place]?.genotype ?? null)
  const event = (kind: HuntEvent['kind'], happenedOn: string, more: Partial<HuntEvent> = {}): HuntEvent => ({
    huntId,
    kind,
    happenedOn,
    recordedBy,
    now,
    ...more,
  })
  const ofPlant = (place: number | null) => ({ genotypeId: genotypeOfPlant(place), plantId: idOf('plants', place) })
  const today = now.toISOString().slice(0, 10)

  return [
    event('hunt.created', document.hunt.germinationDate ?? today),
    ...(document.hunt.completedOn === null ? [] : [event('hunt.completed', document.hunt.completedOn)]),
    ...document.plants.flatMap((plant, i) => {
      const about = ofPlant(i)
      return [
        ...(plant.cutOn === null ? [] : [event('plant.cut', plant.cutOn, about)]),
        ...(plant.rootedOn === null ? [] : [event('plant.rooted', plant.rootedOn, about)]),
        ...(plant.endedOn === null ? [] : [event('plant.ended', plant.endedOn, { ...about, detail: { how: plant.endedHow } })]),
      ]
    }),
    ...document.growLogs.map(({ plant, loggedOn, heightCm, rating }, i) =>
      event('log.written', loggedOn, { ...ofPlant(plant), subjectId: idOf('growLogs', i), detail: { heightCm, rating, photos: 0 } }),
    ),
    ...document.observations.map(({ plant, observedOn, corrects, trait, valueNumber }, i) =>
      event(corrects === null ? 'observation.made' : 'observation.corrected', observedOn, {
        ...ofPlant(plant),
        subjectId: idOf('observations', i),
        detail: { traitId: idOf('traits', trait), number: valueNumber },
      }),
    ),
    ...document.harvests.map(({ plant, harvestedOn, wetGrams, dryGrams }, i) =>
      event('harvest.recorded', harvestedOn, { ...ofPlant(plant), subjectId: idOf('harvests', i), detail: { wetGrams, dryGrams } }),
    ),
    ...document.labResults.map(({ plant, testedOn, value }, i) =>
      event('lab.recorded', testedOn, { ...ofPlant(plant), subjectId: idOf('labResults', i), detail: { value } }),
    ),
    ...document.decisions.flatMap(({ genotype, kind, decidedOn, undoneAt }, i) => {
      const about = { genotypeId: idOf('genotypes', genotype), subjectId: idOf('decisions', i), detail: { kind } }
      return [
        event('decision.made', decidedOn, about),
        ...(undoneAt === null ? [] : [event('decision.undone', undoneAt.slice(0, 10), about)]),
      ]
    }),
  ]
}
