/** The tones of a run's stages, in the order in which they are met. Each place says its stage in words as well. */
export const stageTones = ['leaf', 'plot-sky', 'plot-plum', 'clay', 'muted'] as const
