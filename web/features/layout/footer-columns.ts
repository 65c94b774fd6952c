import { linkOptions } from '@tanstack/react-router'
import { brand } from '../../lib/boot.ts'

/** The columns of the footer, as the specification names them. Every link leads to a page that exists. */
export const footerColumns = [
  {
    title: 'For Consumers',
    links: [
      { label: 'Browse Businesses', link: linkOptions({ to: '/discover' }) },
      { label: 'Subscription Plans', link: linkOptions({ to: '/$brandSlug', params: { brandSlug: brand.slug } }) },
      { label: 'Your Favorites', link: linkOptions({ to: '/favorites' }) },
      { label: 'Community Guidelines', link: linkOptions({ to: '/guidelines' }) },
    ],
  },
  {
    title: 'For Businesses',
    links: [
      { label: 'Register Your Business', link: linkOptions({ to: '/business/register' }) },
      { label: 'Upload Menu', link: linkOptions({ to: '/resources', hash: 'menus' }) },
      { label: 'Analytics Dashboard', link: linkOptions({ to: '/resources', hash: 'analytics' }) },
      { label: 'Business Resources', link: linkOptions({ to: '/resources' }) },
    ],
  },
  {
    title: 'Support',
    links: [
      { label: 'Help Center', link: linkOptions({ to: '/help' }) },
      { label: 'Contact Us', link: linkOptions({ to: '/contact' }) },
      { label: 'Privacy Policy', link: linkOptions({ to: '/privacy' }) },
      { label: 'Terms of Service', link: linkOptions({ to: '/terms' }) },
      { label: 'Where the data comes from', link: linkOptions({ to: '/data' }) },
      { label: 'Accessibility', link: linkOptions({ to: '/accessibility' }) },
    ],
  },
]
