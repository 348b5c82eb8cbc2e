import { testPermissions } from './support/permission-cases.ts'
import { areasOfFiles } from './support/permission-rules.ts'

testPermissions(areasOfFiles.agent)
