import { Link } from '@tanstack/react-router'
import { Globe, Heart, MapPin, Phone } from 'lucide-react'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { countVisit } from '../../lib/count-visit.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Stars } from '../../ui/stars.tsx'
import { telephone } from '../businesses/business-contact.tsx'
import { BusinessPicture } from '../businesses/business-picture.tsx'
import { useFavorite } from '../businesses/use-favorite.ts'
import { websiteName } from '../businesses/website-name.ts'

export function FavoriteCard({ business }: { business: BusinessSummary }) {
  const { id, name, slug, type, description, address, location, phone, website, averageRating, totalRatings } = business
  const { setFavorite } = useFavorite(business, { undo: true })
  const place = [address, location].filter(Boolean).join(', ')
  return (
    <Card asChild className="flex h-full flex-col">
      <article>
        <BusinessPicture business={business} />
        <div className="flex flex-1 flex-col gap-3 p-4 sm:p-5">
          <div>
            <h2 className="text-lg wrap-anywhere">{name}</h2>
            <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <Badge>{businessTypeLabels[type]}</Badge>
              <Stars rating={averageRating} count={totalRatings} />
            </div>
          </div>
          <p className="line-clamp-3 text-[0.9375rem] text-muted">{description ?? 'No description available'}</p>
          <ul className="grid gap-1.5 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted">
            <li className="flex gap-2">
              <MapPin aria-hidden="true" />
              {place || 'Location not set'}
            </li>
            {phone && (
              <li className="flex gap-2">
                <Phone aria-hidden="true" />
                <a href={telephone(phone)} onClick={() => countVisit(id, { kind: 'call' }, 'favorites')} className={textLink}>
                  {phone}
                </a>
              </li>
            )}
            {website && (
              <li className="flex gap-2">
                <Globe aria-hidden="true" />
                <a
                  href={website}
                  onClick={() => countVisit(id, { kind: 'site' }, 'favorites')}
                  target="_blank"
                  rel="noopener noreferrer"
                  className={`${textLink} min-w-0 truncate`}
                >
                  {websiteName(website)}
                  <span className="sr-only">(opens in a new tab)</span>
                </a>
              </li>
            )}
          </ul>
          <Button asChild variant="secondary" className="mt-auto self-start">
            <Link to="/business/$id" params={{ id: slug }}>
              View Details<span className="sr-only"> of {name}</span>
            </Link>
          </Button>
        </div>
        <IconButton
          label={`Remove ${name} from favorites`}
          variant="floating"
          onClick={() => setFavorite(false)}
          className="absolute! top-2.5 right-2.5 z-1 text-clay! [&_svg]:fill-current"
        >
          <Heart aria-hidden="true" />
        </IconButton>
      </article>
    </Card>
  )
}
