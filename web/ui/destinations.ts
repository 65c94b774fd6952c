import { linkOptions } from '@tanstack/react-router'
import { ChartColumn, Compass, Heart, House, SquarePen, UsersRound } from 'lucide-react'

// The headers and the bottom bar use these lists; account-destinations.ts has the menus' lists. List only existing screens.

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
/** For the bottom bar, where "More" has the rest. */
export const barDestinations = [home, discover, createPost, favorites]
/** People who run a business find their favorites under "More". */
export const businessBarDestinations = [home, discover, createPost, dashboard]
export const simpleDestinations = [discover, feed, favorites]
