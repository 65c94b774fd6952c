import { Copy, ExternalLink, Globe, MapPin, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Business } from '#contracts/businesses.ts'
import { countVisit } from '#web/lib/count-visit.ts'
import { websiteName } from '#web/lib/website-name.ts'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'

/** Contact details. Links to an external map only if the pin is the building itself. */
export function BusinessContact({ business }: { business: Business }) {
  const { address, location, phone, website, pin, zip } = business
  const count = (kind: 'call' | 'directions' | 'site') => countVisit(business.id, { kind })
  const whole = address && [address, [location, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return (
    <div className="grid gap-3 text-[0.9375rem]">
      <Line icon={<MapPin aria-hidden="true" />}>
        {whole ?? location ?? 'Location not set'}
        {whole && (
          <span className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
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
            {pin?.precision === 'premise' && (
              <a
                href={mapAddress(pin)}
                onClick={() => count('directions')}
                target="_blank"
                rel="noopener noreferrer"
                className={`${textLink} inline-flex items-center gap-1 text-sm`}
              >
                OpenStreetMap
                <ExternalLink aria-hidden="true" className="size-3.5" />
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            )}
          </span>
        )}
      </Line>
      {phone && (
        <Line icon={<Phone aria-hidden="true" />}>
          <a href={telephone(phone)} onClick={() => count('call')} className={textLink}>
            {phone}
          </a>
        </Line>
      )}
      {website && (
        <Line icon={<Globe aria-hidden="true" />}>
          <a href={website} onClick={() => count('site')} target="_blank" rel="noopener noreferrer" className={`${textLink} wrap-anywhere`}>
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

export const telephone = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`

const mapAddress = ({ latitude, longitude }: NonNullable<Business['pin']>) =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`

async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Address copied' })
  } catch {
    toast({ title: 'Error', description: 'The address couldn’t be copied. Select and copy it yourself.', variant: 'destructive' })
  }
}
