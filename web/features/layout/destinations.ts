import { linkOptions } from '@tanstack/react-router'
import { Compass, CreditCard, Heart, House, LifeBuoy, type LucideIcon, Mail, Store } from 'lucide-react'
import { brand } from '../../lib/boot.ts'

/** One place to go, in a header, a menu or the bottom bar. A screen that does not exist yet is not in these lists. */
export type Destination = { label: string; Icon: LucideIcon; link: ReturnType<typeof linkOptions> }

const home = { label: 'Home', Icon: House, link: linkOptions({ to: '/' }) }
const discover = { label: 'Discover', Icon: Compass, link: linkOptions({ to: '/discover' }) }
const favorites = { label: 'Favorites', Icon: Heart, link: linkOptions({ to: '/favorites' }) }
const feed = { ...home, label: 'Feed' }
const registerBusiness = { label: 'Register Business', Icon: Store, link: linkOptions({ to: '/business/register' }) }
const plans = { label: 'Subscription Plans', Icon: CreditCard, link: linkOptions({ to: '/$brandSlug', params: { brandSlug: brand.slug } }) }
const help = { label: 'Help Center', Icon: LifeBuoy, link: linkOptions({ to: '/help' }) }

/** The navigation of the top header and of the bottom bar. */
export const mainDestinations = [home, discover, favorites]
/** The navigation of the simple header. */
export const simpleDestinations = [discover, feed, favorites]

/** The links of the menu behind the avatar, before "Contact Support" and signing out. */
export const accountDestinations = { top: [registerBusiness], simple: [favorites, registerBusiness], more: [registerBusiness, plans, help] }
export type AccountMenuKind = keyof typeof accountDestinations

export const contactSupport = { label: 'Contact Support', Icon: Mail, href: `mailto:${brand.supportEmail}` }

// Answered by the server, so they are plain links that load a page.
export const signInUrl = '/api/login'
export const signOutUrl = '/api/logout'

export const footerColumns = [
  {
    title: 'For Consumers',
    links: [
      { label: 'Browse Businesses', link: discover.link },
      { label: 'Subscription Plans', link: plans.link },
      { label: 'Your Favorites', link: favorites.link },
      { label: 'Community Guidelines', link: linkOptions({ to: '/guidelines' }) },
    ],
  },
  {
    title: 'For Businesses',
    links: [
      { label: 'Register Your Business', link: registerBusiness.link },
      { label: 'Upload Menu', link: linkOptions({ to: '/resources', hash: 'menus' }) },
      { label: 'Analytics Dashboard', link: linkOptions({ to: '/resources', hash: 'analytics' }) },
      { label: 'Business Resources', link: linkOptions({ to: '/resources' }) },
    ],
  },
  {
    title: 'Support',
    links: [
      { label: 'Help Center', link: help.link },
      { label: 'Contact Us', link: linkOptions({ to: '/contact' }) },
      { label: 'Privacy Policy', link: linkOptions({ to: '/privacy' }) },
      { label: 'Terms of Service', link: linkOptions({ to: '/terms' }) },
      { label: 'Where the data comes from', link: linkOptions({ to: '/data' }) },
    ],
  },
]
