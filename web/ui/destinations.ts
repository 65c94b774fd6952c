import { linkOptions } from '@tanstack/react-router'
import { ChartColumn, Compass, Heart, House, SquarePen, UsersRound } from 'lucide-react'

// Destinations of the headers and the bottom bar; account-destinations.ts has those of the menus. Lists contain existing screens only.

const home = { label: 'Home', Icon: House, link: linkOptions({ to: '/' }) }
const discover = { label: 'Discover', Icon: Compass, link: linkOptions({ to: '/discover' }) }
const feed = { label: 'Feed', Icon: House, link: linkOptions({ to: '/' }) }
export const favorites = { label: 'Favorites', Icon: Heart, link: linkOptions({ to: '/favorites' }) }
export const communities = { label: 'Communities', Icon: UsersRound, link: linkOptions({ to: '/communities' }) }
const createPost = { label: 'Post', Icon: SquarePen, link: linkOptions({ to: '/create-post' }) }

export const dashboard = { label: 'Dashboard', Icon: ChartColumn, link: linkOptions({ to: '/business-dashboard' }) }

/** Where there is room, `wideDestinations` follow. */
export const mainDestinations = [home, discover, favorites]
export const wideDestinations = [communities]
/** Bottom bar, with "More" for the rest, where communities are second; wide headers have a button for creating posts instead. */
export const barDestinations = [home, discover, createPost, favorites]
/** The bottom bar of people who run a business; "More" has their favorites. */
export const businessBarDestinations = [home, discover, createPost, dashboard]
export const simpleDestinations = [discover, feed, favorites]
