import { ChevronDown, Copy, Globe, MapPin, Navigation, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { phoneLink } from '#contracts/addresses.ts'
import type { Business } from '#contracts/businesses.ts'
import { ChoiceMenu } from '#web/entities/directory/choice-menu.tsx'
import { countVisit } from '#web/lib/count-visit.ts'
import { websiteName } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'
import { chooseMapSite, directionsUrl, type MapSite, mapSite, mapSiteLabels, wholeAddress } from './directions.ts'

export function ContactButtons({ business }: { business: Business }) {
  const site = useStore(mapSite)
  const { phone, website } = business
  const directions = directionsUrl(business, site, navigator.userAgent)
  const count = (kind: 'call' | 'directions' | 'site') => countVisit(business.id, { kind })
  if (!phone && !directions && !website) return null
  return (
    <div className="mt-4 flex flex-wrap gap-2 max-sm:*:flex-1">
      {phone && (
        <Button asChild variant="secondary">
          <a href={phoneLink(phone)} onClick={() => count('call')}>
            <Phone aria-hidden="true" />
            Call
          </a>
        </Button>
      )}
      {directions && (
        <Button asChild variant="secondary">
          <a href={directions} onClick={() => count('directions')} {...(directions.startsWith('geo:') ? {} : newTab)}>
            <Navigation aria-hidden="true" />
            Directions
          </a>
        </Button>
      )}
      {website && (
        <Button asChild variant="secondary">
          <a href={website} onClick={() => count('site')} {...newTab}>
            <Globe aria-hidden="true" />
            Website
          </a>
        </Button>
      )}
    </div>
  )
}

const newTab = { target: '_blank', rel: 'noopener noreferrer' }

function MapChoice() {
  const site = useStore(mapSite)
  return (
    <ChoiceMenu
      label="Open directions in"
      choices={Object.entries(mapSiteLabels).map(([value, text]) => ({ value, text }))}
      current={site}
      onChoose={(value) => chooseMapSite(value as MapSite)}
    >
      <button type="button" className={`${textLink} touch-target inline-flex items-center gap-1 text-sm`}>
        Choose maps app
        <ChevronDown aria-hidden="true" className="size-3.5" />
      </button>
    </ChoiceMenu>
  )
}

export function BusinessContact({ business }: { business: Business }) {
  const { location, phone, website } = business
  const count = (kind: 'call' | 'directions' | 'site') => countVisit(business.id, { kind })
  const whole = wholeAddress(business)
  return (
    <div className="grid gap-3 text-[0.9375rem] pointer-coarse:gap-5.5">
      <Line icon={<MapPin aria-hidden="true" />}>
        {whole ?? location ?? 'Location not set'}
        {whole && (
          <span className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 pointer-coarse:gap-y-4">
            <Button
              variant="secondary"
              size="sm"
              onClick={() => {
                count('directions')
                void copy(whole)
              }}
            >
              <Copy aria-hidden="true" />
              Copy address
            </Button>
            <MapChoice />
          </span>
        )}
      </Line>
      {phone && (
        <Line icon={<Phone aria-hidden="true" />}>
          <a href={phoneLink(phone)} onClick={() => count('call')} className={`${textLink} touch-target`}>
            {phone}
          </a>
        </Line>
      )}
      {website && (
        <Line icon={<Globe aria-hidden="true" />}>
          <a
            href={website}
            onClick={() => count('site')}
            target="_blank"
            rel="noopener noreferrer"
            className={`${textLink} touch-target inline-block wrap-anywhere`}
          >
            {websiteName(website)}
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        </Line>
      )}
    </div>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex gap-3 [&>svg]:mt-0.5 [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-muted">
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Address copied' })
  } catch {
    toast({ title: 'Error', description: 'The address couldn’t be copied. Select and copy it yourself.', variant: 'destructive' })
  }
}
