import { linkOptions } from '@tanstack/react-router'
import { Bell, CircleUser, Compass, CreditCard, Heart, House, LifeBuoy, Mail, SquarePen, Store } from 'lucide-react'
import { brand } from '../../lib/boot.ts'

// Where a signed-in person can go from the headers, their menus and the bottom bar. A screen that does not exist yet is not in these
// lists; when it does, it is one line more in each list it belongs to.

const home = { label: 'Home', Icon: House, link: linkOptions({ to: '/' }) }
const discover = { label: 'Discover', Icon: Compass, link: linkOptions({ to: '/discover' }) }
const feed = { label: 'Feed', Icon: House, link: linkOptions({ to: '/' }) }
const favorites = { label: 'Favorites', Icon: Heart, link: linkOptions({ to: '/favorites' }) }
const createPost = { label: 'Post', Icon: SquarePen, link: linkOptions({ to: '/create-post' }) }
const notifications = { label: 'Notifications', Icon: Bell, link: linkOptions({ to: '/notifications' }) }
const profile = { label: 'Profile', Icon: CircleUser, link: linkOptions({ to: '/profile' }) }
const registerBusiness = { label: 'Register Business', Icon: Store, link: linkOptions({ to: '/business/register' }) }
const plans = { label: 'Subscription Plans', Icon: CreditCard, link: linkOptions({ to: '/$brandSlug', params: { brandSlug: brand.slug } }) }
const help = { label: 'Help Center', Icon: LifeBuoy, link: linkOptions({ to: '/help' }) }

/** The navigation of the top header. */
export const mainDestinations = [home, discover, favorites]
/** The navigation of the bottom bar; a wide header has a button for the post instead. */
export const barDestinations = [home, discover, createPost, favorites]
/** The navigation of the simple header. */
export const simpleDestinations = [discover, feed, favorites]

/** The links behind the avatar of the two headers and behind "More", before "Contact Support" and signing out. */
export const accountDestinations = {
  top: [profile, registerBusiness],
  simple: [profile, favorites, registerBusiness],
  more: [profile, notifications, registerBusiness, plans, help],
}
export type AccountMenuKind = keyof typeof accountDestinations

export const contactSupport = { label: 'Contact Support', Icon: Mail, href: `mailto:${brand.supportEmail}` }
