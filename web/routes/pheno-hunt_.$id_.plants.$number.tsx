import { createFileRoute } from '@tanstack/react-router'
import { huntOptions } from '#web/entities/hunts/hunts.api.ts'
import { genotypeOptions } from '#web/entities/plants/plants.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { PlantScreen } from '#web/screens/hunts/plant-screen.tsx'

export const Route = createFileRoute('/pheno-hunt_/$id_/plants/$number')({
  loader: ({ context, params: { id, number } }) => prefetch(context, huntOptions(id), genotypeOptions(id, Number(number))),
  component: PlantPage,
})

function PlantPage() {
  const { id, number } = Route.useParams()
  return <PlantScreen key={`${id} ${number}`} huntId={id} number={Number(number)} />
}
