import { BadgeCheck, MapPinOff, Scale } from 'lucide-react'
import { MorningHills } from '#web/entities/accounts/morning-hills.tsx'
import { brand } from '#web/lib/boot.ts'

const promises = [
  { icon: BadgeCheck, text: 'Listings come from public license registers, with their source and date.' },
  { icon: Scale, text: 'Ranked by ratings, then distance.' },
  { icon: MapPinOff, text: 'Your location is a city, never a point on a map.' },
]

export function AuthAside() {
  return (
    <div className="grid h-full grid-rows-[minmax(14rem,1fr)_auto]">
      <div data-cover="farm" className="bg-linear-to-b from-surface to-(--cover-sky)">
        <MorningHills />
      </div>
      <div className="grid gap-5 p-8">
        <p className="max-w-[16ch] font-display font-display text-3xl text-balance">{brand.tagline}</p>
        <ul className="grid gap-3 text-muted">
          {promises.map(({ icon: Icon, text }) => (
            <li key={text} className="flex gap-3">
              <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
