import { useModel } from '../../model/workspace/context';
import { LinkButton } from './LinkButton';

/** The id of a rule, with the way to its page: what it means, and the clauses of the specification in each revision. */
export function RuleLink({ rule }: { rule: string }) {
  const { workspace } = useModel();
  return (
    <LinkButton
      data-tip="Show the rule and its clauses of the specification"
      onClick={() => workspace.setState({ helpPage: `reference/rules/${rule}.md` })}
    >
      {rule}
    </LinkButton>
  );
}
