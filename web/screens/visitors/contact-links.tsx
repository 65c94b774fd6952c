import { Globe, Navigation, Phone } from 'lucide-react'
import type { MenuContent } from '#contracts/visitor-pages.ts'
import { telephone } from '#web/entities/businesses/business-contact.tsx'
import { directionsUrl } from '#web/entities/businesses/directions.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'

type ContactLinksProps = { content: Pick<MenuContent, 'business' | 'device'>; className?: string }

/** Call, Directions and Website, as far as they are known. */
export function ContactLinks({ content: { business, device }, className }: ContactLinksProps) {
  const { phone, website } = business
  const directions = directionsUrl(business, 'device', device)
  if (!phone && !directions && !website) return null
  return (
    <div className={cx('flex flex-wrap gap-2 max-sm:*:flex-1', className)}>
      {phone && (
        <a href={telephone(phone)} data-visit="call" className={buttonClass('secondary')}>
          <Phone aria-hidden="true" />
          Call
        </a>
      )}
      {directions && (
        <a href={directions} data-visit="directions" rel="noreferrer" className={buttonClass('secondary')}>
          <Navigation aria-hidden="true" />
          Directions
        </a>
      )}
      {website && (
        <a href={website} data-visit="site" rel="noreferrer nofollow" className={buttonClass('secondary')}>
          <Globe aria-hidden="true" />
          Website
        </a>
      )}
    </div>
  )
}
