import { createFileRoute } from '@tanstack/react-router'
import { PlantScreen } from '#web/screens/hunts/plant-screen.tsx'

export const Route = createFileRoute('/pheno-hunt_/$id_/plants/$number')({ component: PlantPage })

function PlantPage() {
  const { id, number } = Route.useParams()
  return <PlantScreen key={`${id} ${number}`} huntId={id} number={Number(number)} />
}
