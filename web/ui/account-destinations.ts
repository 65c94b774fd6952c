import { linkOptions } from '@tanstack/react-router'
import {
  Bell,
  CalendarDays,
  CircleUser,
  CreditCard,
  Dna,
  LifeBuoy,
  Mail,
  MessagesSquare,
  Package,
  ReceiptText,
  Settings,
  Store,
} from 'lucide-react'
import { brand } from '#web/lib/boot.ts'
import { communities, dashboard, favorites } from './destinations.ts'

// This file isn't in the initial bundle, because only account menus and the search palette need it, and their code loads on demand.

const products = { label: 'Products', Icon: Package, link: linkOptions({ to: '/products' }) }
const events = { label: 'Events', Icon: CalendarDays, link: linkOptions({ to: '/events' }) }
const phenoHunt = { label: 'Pheno Hunter Pro', Icon: Dna, link: linkOptions({ to: '/pheno-hunt' }) }
const notifications = { label: 'Notifications', Icon: Bell, link: linkOptions({ to: '/notifications' }) }
const messages = { label: 'Messages', Icon: MessagesSquare, link: linkOptions({ to: '/messages/{-$id}', params: { id: undefined } }) }
const profile = { label: 'Profile', Icon: CircleUser, link: linkOptions({ to: '/profile' }) }
const billing = { label: 'Billing', Icon: ReceiptText, link: linkOptions({ to: '/billing' }) }
const registerBusiness = { label: 'Register Business', Icon: Store, link: linkOptions({ to: '/business/register' }) }
const plans = { label: 'Subscription Plans', Icon: CreditCard, link: linkOptions({ to: '/$brandSlug', params: { brandSlug: brand.slug } }) }
const settings = { label: 'Settings', Icon: Settings, link: linkOptions({ to: '/settings' }) }
const help = { label: 'Help Center', Icon: LifeBuoy, link: linkOptions({ to: '/help' }) }

export const accountDestinations = {
  top: [profile, messages, communities, phenoHunt, dashboard, billing, registerBusiness, settings],
  simple: [profile, favorites, messages, communities, phenoHunt, dashboard, billing, registerBusiness, settings],
  more: [
    profile,
    products,
    events,
    communities,
    favorites,
    notifications,
    messages,
    phenoHunt,
    dashboard,
    billing,
    registerBusiness,
    plans,
    settings,
    help,
  ],
}
export type AccountMenuKind = keyof typeof accountDestinations

export const contactSupport = { label: 'Contact Support', Icon: Mail, href: `mailto:${brand.supportEmail}` }
