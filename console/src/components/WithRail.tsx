import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './WithRail.module.css'

/** Content with a column of panels at its right, which is above it on narrow screens. */
export function WithRail({ rail, children }: { rail: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <Stack gap="md">{children}</Stack>
      <div className={classes.rail}>{rail}</div>
    </div>
  )
}
