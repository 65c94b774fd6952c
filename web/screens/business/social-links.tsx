import { ExternalLink } from 'lucide-react'
import type { PageExtras } from '#contracts/page-extras.ts'
import { socialNetworks } from '#contracts/social-networks.ts'
import { textLink } from '#web/ui/link-styles.ts'

/** Owners choose these addresses, so search engines get `nofollow` and `ugc`. */
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
