import { linkOptions } from '@tanstack/react-router'
import { Compass, CreditCard, Heart, House, LifeBuoy, Mail, Store } from 'lucide-react'
import { brand } from '../../lib/boot.ts'

// Where a signed-in person can go from the headers, their menus and the bottom bar. A screen that does not exist yet is not in these
// lists; when it does, it is one line more in each list it belongs to.

const home = { label: 'Home', Icon: House, link: linkOptions({ to: '/' }) }
const discover = { label: 'Discover', Icon: Compass, link: linkOptions({ to: '/discover' }) }
const feed = { label: 'Feed', Icon: House, link: linkOptions({ to: '/' }) }
const favorites = { label: 'Favorites', Icon: Heart, link: linkOptions({ to: '/favorites' }) }
const registerBusiness = { label: 'Register Business', Icon: Store, link: linkOptions({ to: '/business/register' }) }
const plans = { label: 'Subscription Plans', Icon: CreditCard, link: linkOptions({ to: '/$brandSlug', params: { brandSlug: brand.slug } }) }
const help = { label: 'Help Center', Icon: LifeBuoy, link: linkOptions({ to: '/help' }) }

/** The navigation of the top header and of the bottom bar. */
export const mainDestinations = [home, discover, favorites]
/** The navigation of the simple header. */
export const simpleDestinations = [discover, feed, favorites]

/** The links behind the avatar of the two headers and behind "More", before "Contact Support" and signing out. */
export const accountDestinations = {
  top: [registerBusiness],
  simple: [favorites, registerBusiness],
  more: [registerBusiness, plans, help],
}
export type AccountMenuKind = keyof typeof accountDestinations

export const contactSupport = { label: 'Contact Support', Icon: Mail, href: `mailto:${brand.supportEmail}` }
