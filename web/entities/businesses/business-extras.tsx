import { Check, ExternalLink } from 'lucide-react'
import { type Amenity, amenityLabels } from '#contracts/amenities.ts'
import type { PageExtras } from '#contracts/page-extras.ts'
import { socialNetworks } from '#contracts/social-networks.ts'
import { textLink } from '#web/ui/link-styles.ts'

export function AmenityList({ amenities, className = '' }: { amenities: readonly Amenity[]; className?: string }) {
  if (amenities.length === 0) return null
  return (
    <ul aria-label="Amenities" className={`flex flex-wrap gap-x-4 gap-y-1.5 text-[0.9375rem] ${className}`}>
      {amenities.map((each) => (
        <li key={each} className="flex items-center gap-1.5">
          <Check aria-hidden="true" className="size-4 shrink-0 text-leaf" />
          {amenityLabels[each]}
        </li>
      ))}
    </ul>
  )
}

/** Decorative, because the name follows. */
export function BusinessLogo({ logoUrl }: { logoUrl: string | null }) {
  if (!logoUrl) return null
  return (
    <img
      src={logoUrl}
      alt=""
      width={72}
      height={72}
      decoding="async"
      className="size-14 shrink-0 rounded-input border border-line bg-surface object-contain sm:size-18"
    />
  )
}

/** The business chooses these URLs, so search engines get `nofollow` and `ugc`. */
export function SocialLinks({ name, links }: { name: string; links: PageExtras['socialLinks'] }) {
  return (
    <ul aria-label={`${name} on social networks`} className="flex flex-wrap gap-x-4 gap-y-2 border-line border-t pt-3 text-[0.9375rem]">
      {links.map(({ network, url }) => (
        <li key={network}>
          <a
            href={url}
            target="_blank"
            rel="nofollow noopener ugc"
            className={`${textLink} inline-flex min-h-6 items-center gap-1 pointer-coarse:min-h-11`}
          >
            <span className="sr-only">{name} on </span>
            {socialNetworks[network].name}
            <ExternalLink aria-hidden="true" className="size-3.5" />
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
