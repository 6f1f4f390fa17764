"""Labels whose kappa is known: two annotators with the same habits, the second copying the first now and then."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def annotators(
    kappa: float, items: int, shares: tuple[float, ...], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Copying in a share `kappa` of cases, and independent draws in the rest, is what Cohen's kappa measures."""
    first, own = (rng.choice(len(shares), items, p=shares) for _ in range(2))
    return first, np.where(rng.random(items) < kappa, first, own)


def write_annotations(path: Path, kappas: dict[str, float], items: int, rng: np.random.Generator) -> None:
    """An audit by two annotators, whose kappa differs by site, in the form of a labels file."""
    lines = ["task_id,annotator,category,label,stratum_site"]
    for site, kappa in kappas.items():
        said = annotators(kappa, items, (0.3, 0.7), rng)
        for name, labels in zip(("ada", "bo"), said, strict=True):
            lines += [
                f"{site}-{at},{name},wrong,{('yes', 'no')[label]},{site}" for at, label in enumerate(labels.tolist())
            ]
    path.write_text("\n".join(lines) + "\n")
