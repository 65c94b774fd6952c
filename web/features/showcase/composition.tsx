import { Heart } from 'lucide-react'
import { useState } from 'react'
import { type BusinessType, businessTypeLabels } from '../../../contracts/business-types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Cover } from '../../ui/cover/cover.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { cardLink } from '../../ui/link-styles.ts'
import { Stars } from '../../ui/stars.tsx'
import { Specimen } from './specimen.tsx'

type Sample = { name: string; type: BusinessType; place: string; rating: number; count: number; verified: boolean }

const samples: Sample[] = [
  { name: 'Specimen Valley Farm', type: 'farm', place: 'Brighton, CO · 12 mi', rating: 4.84, count: 132, verified: true },
  { name: 'Sample Street Dispensary', type: 'dispensary', place: 'Denver, CO · 1 mi', rating: 4.65, count: 1418, verified: true },
  { name: 'Example Couriers', type: 'delivery', place: 'Denver, CO · 2 mi', rating: 3.2, count: 7, verified: false },
  {
    name: 'A Glass Shop with a Name That Takes Two Lines',
    type: 'glass_shop',
    place: 'Lakewood, CO · 6 mi',
    rating: 0,
    count: 0,
    verified: false,
  },
]

/** The parts in one place, as a list of businesses shows them. */
export function Composition() {
  return (
    <Specimen title="Business cards">
      {() => (
        <ul className="grid gap-5 sm:grid-cols-2">
          {samples.map((sample) => (
            <li key={sample.name} className="grid">
              <BusinessSample {...sample} />
            </li>
          ))}
        </ul>
      )}
    </Specimen>
  )
}

function BusinessSample({ name, type, place, rating, count, verified }: Sample) {
  const [favorite, setFavorite] = useState(false)
  return (
    <Card interactive asChild>
      <article>
        <Cover id={name} type={type} />
        <IconButton
          variant="floating"
          label={`Add ${name} to favorites`}
          aria-pressed={favorite}
          onClick={() => setFavorite(!favorite)}
          className="absolute top-3 right-3 z-1"
        >
          <Heart />
        </IconButton>
        <div className="p-4 pt-3.5">
          <h4 className="font-display text-lg/6 tracking-[-0.012em]">
            <a href="#together" className={cardLink}>
              {name}
            </a>
          </h4>
          <p className="mt-0.5 text-muted text-sm">
            {businessTypeLabels[type]} · {place}
          </p>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
            <Stars rating={rating} count={count} />
            {verified ? <Badge variant="verified">Verified</Badge> : <Badge>Unclaimed</Badge>}
          </div>
        </div>
      </article>
    </Card>
  )
}
